import type { Provider } from '../../bridge/provider.ts'
import { badOption, type Check, checkOptions, flag, hook, milliseconds, object } from '../../check-options.ts'
import type { Clock } from '../../clock.ts'
import { provider } from '../provider-option.ts'
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

const checks: { readonly [option in keyof Required<PolicyOptions>]: Check } = {
  provider,
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
  askTimeoutMs: (value) => (value === 0 || milliseconds(value) ? 'must be milliseconds above 0' : undefined),
  claimElicits: flag,
  clock: (value) => object(value) && 'must be a clock',
}

/** Refuses what is unknown or badly typed. @throws ConfigError */
export function checkPolicyOptions(options: PolicyOptions): void {
  checkOptions(options, checks)
  if (options.provider === undefined) throw badOption('provider', 'is missing: whose tools to guard')
}

/** Checked where it is read. */
function rest(): undefined {}
