import type { Provider } from '../../bridge/provider.ts'
import type { Clock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { OnAsk } from './ask.ts'
import type { EvaluationOptions } from './evaluation-options.ts'
import { Grants } from './grants.ts'
import type { Rule } from './rule.ts'

export interface PolicyOptions extends EvaluationOptions {
  /** Whose tools they are. Rules name its tools as it publishes them. */
  readonly provider: Provider
  /** Default none: everything is asked about. */
  readonly rules?: readonly Rule[]
  /** What a person decided before, for this policy alone. */
  readonly grants?: readonly Rule[]
  /** A book shared with other policies; what this one is told to remember goes there. */
  readonly grantsStore?: Grants
  /** Without it nobody is asked, and what would be asked is refused. */
  readonly onAsk?: OnAsk
  /** Called with everything granted by now when something was remembered, before the call in question goes on. */
  readonly onGrant?: (grants: Rule[]) => void | Promise<void>
  /** What went wrong without harm, e.g. a hook that threw. */
  readonly onWarn?: (message: string) => void
  /** Leaves tools out of the catalogue that a rule without any narrower denies; default true. */
  readonly filterTools?: boolean
  /** How long a person has to answer, from when they are asked; then the call is refused. Default: for ever. */
  readonly askTimeoutMs?: number
  /** Answers the questions of servers that this policy's own calls raise, whichever policy is wired to the client; default false. */
  readonly claimElicits?: boolean
  /** Time for `askTimeoutMs`; default the system's. */
  readonly clock?: Clock
}

const checks: { readonly [option in keyof Required<PolicyOptions>]: (value: unknown) => string | undefined } =
  {
    provider: (value) =>
      isObject(value) &&
      typeof value.toolsForLlm === 'function' &&
      typeof value.executeToolCalls === 'function'
        ? undefined
        : 'must be a provider: an object with toolsForLlm and executeToolCalls',
    rules: rest,
    grants: rest,
    grantsStore: (value) => (value instanceof Grants ? undefined : 'must be a Grants'),
    roots: rest,
    pathParams: rest,
    commandParams: rest,
    checks: rest,
    onAsk: hook,
    onGrant: hook,
    onWarn: hook,
    filterTools: flag,
    askTimeoutMs: (value) =>
      typeof value === 'number' && value > 0 && Number.isFinite(value)
        ? undefined
        : 'must be milliseconds above 0',
    claimElicits: flag,
    clock: (value) => (isObject(value) ? undefined : 'must be a clock'),
  }

/** Refuses what is unknown or badly typed. @throws ConfigError */
export function checkPolicyOptions(options: unknown): void {
  if (!isObject(options)) throw new ConfigError({ path: ['options'], reason: 'must be an object' })
  for (const [name, value] of Object.entries(options)) {
    const complain = Object.hasOwn(checks, name) ? checks[name as keyof PolicyOptions] : undefined
    const known = Object.keys(checks).join(', ')
    if (!complain) throw new ConfigError({ path: [name], reason: `is no option; known are ${known}` })
    const reason = value === undefined ? undefined : complain(value)
    if (reason) throw new ConfigError({ path: [name], reason })
  }
  if (options.provider === undefined)
    throw new ConfigError({ path: ['provider'], reason: 'is missing: whose tools to guard' })
}

/** Checked where it is read. */
function rest(): undefined {}

function hook(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'must be a function'
}

function flag(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false'
}
