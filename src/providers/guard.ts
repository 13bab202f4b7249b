import type { Provider } from '../bridge/provider.ts'
import { badOption, checkOptions, hook, object } from '../check-options.ts'
import { quietly } from '../quietly.ts'
import { Leases } from './leases/leases.ts'
import type { LeasesOptions } from './leases/leases-options.ts'
import type { EvaluationOptions } from './policy/evaluation-options.ts'
import type { FloorOptions } from './policy/floor/danger-floor.ts'
import { Policy } from './policy/policy.ts'
import type { PolicyOptions } from './policy/policy-options.ts'
import { provider } from './provider-option.ts'
import { Reasons } from './reasons.ts'
import { standing } from './standing.ts'
import { UnknownKeys } from './unknown-keys.ts'

export interface GuardOptions extends Pick<EvaluationOptions, 'roots' | 'pathParams'> {
  /** Whose tools to guard; most often a registry. */
  readonly provider: Provider
  /** Rules, grants, whom to ask. `rules` are by default `Policy.defaultRules()`. */
  readonly policy?: Omit<PolicyOptions, 'provider'>
  /** The table of all agents, and which of them this is. Without it nothing is locked. */
  readonly leases?: Omit<LeasesOptions, 'inner'>
  /**
   * The danger floor under the rules: for `sh_*`, this user's home, and `~/.config/mcp-troupe`, unless it says otherwise. `false`
   * leaves it out.
   */
  readonly floor?: false | GuardFloor
  /** Everything that is worth a look and no failure: arguments that no tool declares, hooks that threw. */
  readonly onWarn?: (message: string) => void
}

export interface GuardFloor extends Partial<FloorOptions> {
  /** Patterns of the tools that run commands. */
  readonly tools?: readonly string[]
}

/**
 * The whole stack over one agent's tools: `Policy(UnknownKeys(Reasons(Leases(provider))))`. `roots` and `pathParams` are for rules and
 * locks alike, unless `policy` or `leases` has its own. The rules that the result's `replaceRules` is given replace the floor too.
 *
 * ```ts
 * const tools = guard({ provider: registry, policy: { onAsk }, leases: { table, agentId: 'agent-1' }, roots: { fs: '/srv/work' } })
 * await tools.toolsForLlm()
 * ```
 * @throws ConfigError
 */
export function guard(options: GuardOptions): Policy {
  checkOptions(options, {
    provider,
    policy: object,
    leases: object,
    floor: (value) => (value === false ? undefined : object(value)),
    roots: object,
    pathParams: object,
    onWarn: hook,
  })
  if (options.provider === undefined) throw badOption('provider', 'is missing')
  const { policy = {}, leases, floor = {}, roots, pathParams, onWarn } = options
  const shared = { ...(roots && { roots }), ...(pathParams && { pathParams }) }
  const told = { ...(onWarn && { onWarn }) }
  const warn = quietly(onWarn)
  const locked = leases
    ? new Leases({ ...shared, ...told, ...leases, inner: options.provider })
    : options.provider
  const noticed = new UnknownKeys({
    provider: new Reasons({ provider: locked }),
    onWarn: ({ message }) => warn(message),
  })
  return new Policy({
    ...shared,
    ...told,
    ...policy,
    ...standing(policy, floor),
    provider: noticed,
  })
}
