import type { ChildState } from '../../bridge/provider.ts'
import type { McpClient } from '../../client/client.ts'
import type { ErrorData } from '../../error-data.ts'
import type { Era } from '../../protocol/versions.ts'
import type { Entry } from './entry.ts'
import type { SupervisedServer } from './supervised-server.ts'

/** One entry of a registry, as a table of them shows it. */
export interface ProviderStatus {
  readonly prefix: string
  /** An in-process provider is always `up`. */
  readonly kind: 'inProcess' | 'supervised'
  readonly state: ChildState
  /** Counts the starts of a supervised server; 0 in-process. */
  readonly generation: number
  readonly restarts: number
  /** Calls handed to it. */
  readonly calls: number
  /** Undefined until it is known. */
  readonly era: Era | undefined
  /** Why it went down last, or what it threw. */
  readonly lastFailure: ErrorData | undefined
  /** The last connection of a supervised server, in whatever state; another one after a restart. */
  readonly client: McpClient | undefined
}

export function statusOf(entry: Entry, server: SupervisedServer | undefined): ProviderStatus {
  const { prefix, calls, failure } = entry
  if (!server) {
    const idle = { generation: 0, restarts: 0, era: undefined, client: undefined } as const
    return { prefix, kind: 'inProcess', state: 'up', calls, lastFailure: failure, ...idle }
  }
  const { state, context, client } = server.life
  return {
    prefix,
    kind: 'supervised',
    state,
    generation: context?.generation ?? 0,
    restarts: context?.restarts ?? 0,
    calls,
    era: client?.state.context.era,
    lastFailure: context?.failure ?? failure,
    client,
  }
}
