import type { Implementation } from '../../protocol/implementation.ts'
import type { CacheHint } from '../../protocol/results.ts'
import type { RequestStates } from '../input/request-states.ts'
import type { LogSink } from '../log-sink.ts'
import type { Offer } from '../offer.ts'
import type { ServerTasks } from '../tasks/server-tasks.ts'
import type { SpokenVersions } from './versions.ts'

/** A server as dispatch sees it. */
export interface Served {
  readonly info: Implementation
  readonly instructions: string | undefined
  readonly versions: SpokenVersions
  /** Of discovery and lists. */
  readonly cache: CacheHint
  /** Entries of one page of a list. */
  readonly pageSize: number
  readonly offer: Offer
  readonly logSink: LogSink
  readonly states: RequestStates
  readonly tasks: ServerTasks
}
