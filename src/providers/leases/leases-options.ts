import type { Conflict } from '../../../machines/index.ts'
import type { Provider } from '../../bridge/provider.ts'
import { badOption, type Check, checkOptions, flag, hook, object, text, texts } from '../../check-options.ts'
import type { Clock } from '../../clock.ts'
import { checkEvaluationOptions, type EvaluationOptions } from '../policy/evaluation-options.ts'
import { provider } from '../provider-option.ts'
import type { Leasing } from './leasing.ts'

export interface LeasesOptions extends Pick<EvaluationOptions, 'roots' | 'pathParams'> {
  /** Whose tools they are. Tools are named as it publishes them. */
  readonly inner: Provider
  /** The table that all agents of the workspace share. */
  readonly table: Leasing
  /** Who holds what is locked through this layer; what others read of it. */
  readonly agentId: string
  /**
   * How many agents are at work right now. Above 1, on a failure and without a number, every change must be covered by a lock of
   * this agent. Default: this agent is alone.
   */
  readonly concurrent?: () => number | Promise<number>
  /** The tools that change files, by name or trailing `*`; default `fs_write`, `fs_edit`, `fs_mkdir`, `fs_move`, `fs_delete`. */
  readonly enforcedTools?: readonly string[]
  /** Those of them that replace a whole file, and so may not where this agent never read what is there; default `fs_write`. */
  readonly overwritingTools?: readonly string[]
  /** Whether models get `lock_acquire` and `lock_release`; default true. Else these names are the inner provider's. */
  readonly publishTools?: boolean
  /** Around a wait for a lock that really begins, once each. */
  readonly onWaitBegin?: (wait: LeaseWait) => void
  readonly onWaitEnd?: (wait: LeaseWait) => void
  /** Asked when a wait begins and every second of it: whether to give it up. Failures count as no. */
  readonly cancelled?: () => boolean
  /** Told of every hook of this layer that threw: `concurrent`, `onWaitBegin`, `onWaitEnd`, `cancelled`. Default nobody. */
  readonly onWarn?: (message: string) => void
  /** Time for `cancelled`; default the system's. */
  readonly clock?: Clock
}

export interface LeaseWait {
  readonly agentId: string
  readonly paths: readonly string[]
  /** What was in the way when it began. */
  readonly conflict: Conflict
}

const checks: { readonly [option in keyof Required<LeasesOptions>]: Check } = {
  inner: provider,
  table: (value) =>
    value instanceof Object && 'acquire' in value && 'pin' in value
      ? undefined
      : 'must be a LeaseTable, or one that LeaseTable.connect gave',
  agentId: text,
  roots: object,
  pathParams: object,
  concurrent: hook,
  enforcedTools: texts,
  overwritingTools: texts,
  publishTools: flag,
  onWaitBegin: hook,
  onWaitEnd: hook,
  cancelled: hook,
  onWarn: hook,
  clock: object,
}

/** @throws ConfigError */
export function checkLeasesOptions(options: LeasesOptions): void {
  checkOptions(options, checks)
  for (const name of ['inner', 'table', 'agentId'] as const)
    if (options[name] === undefined) throw badOption(name, 'is missing')
  checkEvaluationOptions({ roots: options.roots, pathParams: options.pathParams })
}
