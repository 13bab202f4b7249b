import {
  badOption,
  type Check,
  checkOptions,
  hook,
  milliseconds,
  object,
  oneOf,
  text,
  texts,
} from '../../check-options.ts'
import type { AcquireOptions, AcquireRequest, PinRequest, ReleaseRequest } from './leasing.ts'

type Checks<Options> = { readonly [option in keyof Required<Options>]: Check }

/** What a model may have chosen is for the table to refuse, as a value. */
const anything: Check = () => undefined

const acquireChecks: Checks<AcquireRequest> = {
  holder: text,
  paths: texts,
  ttlMs: anything,
  waitMs: milliseconds,
}
const optionChecks: Checks<AcquireOptions> = { signal: object, onWait: hook }
const releaseChecks: Checks<ReleaseRequest> = { holder: text, paths: texts }
const pinChecks: Checks<PinRequest> = {
  holder: text,
  paths: texts,
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

/** @throws ConfigError */
export function checkUnpin(generations: readonly number[]): void {
  if (!Array.isArray(generations)) throw badOption('generations', 'must be what a pin was answered with')
}

function checkGiven<Request extends object>(
  request: Request,
  needed: readonly (keyof Request & string)[],
): void {
  const missing = needed.find((name) => request[name] === undefined)
  if (missing) throw badOption(missing, 'is missing')
}
