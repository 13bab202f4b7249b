import type { ActorLogic, Snapshot } from 'xstate'
import type { ConnectionSnapshot, ConnectionState } from '../../workers/frames.ts'
import { fromErrorData } from '../error-data.ts'
import type { McpClient } from './client.ts'

export type ConnectionActorEvent =
  | { readonly type: 'close' }
  /** The machine in the thread moved. Sent by the actor to itself. */
  | { readonly type: 'mirror'; readonly snapshot: ConnectionSnapshot }

export type ConnectionActorSnapshot = Snapshot<undefined> &
  ConnectionSnapshot & { readonly client: McpClient }

/**
 * A connection as an actor of the host's own XState system, an ordinary child to everyone there: its snapshot mirrors the machine
 * in the thread, `close` ends it, stopping it closes the client. It is done when the connection was closed, and in error, with the
 * typed failure, when it broke: what a supervisor acts on.
 *
 * @example createActor(connectionActor, { input: { client: McpClient.connectStdio({ command: 'server' }) }, systemId: 'files' })
 */
export const connectionActor: ActorLogic<
  ConnectionActorSnapshot,
  ConnectionActorEvent,
  { readonly client: McpClient }
> = {
  getInitialSnapshot: (_scope, { client }) => ({
    status: 'active',
    output: undefined,
    error: undefined,
    client,
    ...client.state,
  }),

  start: ({ client }, { self }) => {
    const mirror = (snapshot: ConnectionSnapshot) => {
      if (self.getSnapshot().status === 'active') self.send({ type: 'mirror', snapshot })
    }
    client.on('state', mirror)
    mirror(client.state)
  },

  transition: (state, event, { defer }) => {
    if (event.type === 'mirror') return mirrored(state, event.snapshot)
    const isStopped = isStop(event.type)
    if (event.type !== 'close' && !isStopped) return state
    defer(() => void state.client.close())
    return isStopped ? { ...state, status: 'stopped', output: undefined, error: undefined } : state
  },

  getPersistedSnapshot: ({ client: _client, ...snapshot }) => snapshot,
}

function mirrored(
  state: ConnectionActorSnapshot,
  { value, context }: ConnectionSnapshot,
): ConnectionActorSnapshot {
  const { client } = state
  const isOver = value === ('closed' satisfies ConnectionState)
  if (!isOver) return { status: 'active', output: undefined, error: undefined, client, value, context }
  if (!context.failure) return { status: 'done', output: undefined, error: undefined, client, value, context }
  return { status: 'error', output: undefined, error: fromErrorData(context.failure), client, value, context }
}

/** XState stops an actor with an event of its own. */
function isStop(type: string): boolean {
  return type === 'xstate.stop'
}
