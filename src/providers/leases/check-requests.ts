import {
  badOption,
  type Check,
  checkOptions,
  hook,
  milliseconds,
  object,
  oneOf,
  text,
} from '../../check-options.ts'
import type { AcquireOptions, AcquireRequest, PinRequest, ReleaseRequest } from './leasing.ts'

type Checks<Options> = { readonly [option in keyof Required<Options>]: Check }

const list: Check = (value) => (Array.isArray(value) ? undefined : 'must be an array of paths')
/** What a model may have chosen is for the table to refuse, as a value. */
const anything: Check = () => undefined

const acquireChecks: Checks<AcquireRequest> = {
  holder: text,
  paths: list,
  ttlMs: anything,
  waitMs: milliseconds,
}
const optionChecks: Checks<AcquireOptions> = { signal: object, onWait: hook }
const releaseChecks: Checks<ReleaseRequest> = { holder: text, paths: list }
const pinChecks: Checks<PinRequest> = {
  holder: text,
  paths: list,
  coverage: oneOf('required', 'optional'),
}

/** @throws ConfigError */
export function checkAcquire(request: AcquireRequest, options: AcquireOptions): void {
  checkOptions(request, acquireChecks)
  checkOptions(options, optionChecks)
  checkGiven(request, ['holder', 'paths'])
}

/** @throws ConfigError */
export function checkRelease(request: ReleaseRequest): void {
  checkOptions(request, releaseChecks)
  checkGiven(request, ['holder'])
}

/** @throws ConfigError */
export function checkPin(request: PinRequest): void {
  checkOptions(request, pinChecks)
  checkGiven(request, ['holder', 'paths', 'coverage'])
}

function checkGiven<Request extends object>(
  request: Request,
  needed: readonly (keyof Request & string)[],
): void {
  const missing = needed.find((name) => request[name] === undefined)
  if (missing) throw badOption(missing, 'is missing')
}
