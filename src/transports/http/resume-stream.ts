import { AuthorizationError, HttpError, type McpError } from '../../errors.ts'
import { FollowedStream } from './followed-stream.ts'
import type { MessageHandlers } from './message-stream.ts'
import type { SseCursor } from './sse-cursor.ts'
import type { Traffic } from './traffic.ts'

/** Asks, after the pause the server wants, for what is still missing of a stream that ended before its answer. */
export function resumeStream(
  traffic: Traffic,
  cursor: SseCursor,
  sessionId: string | undefined,
  handlers: MessageHandlers,
  onFailure: (failure: McpError) => void,
): FollowedStream {
  const { wire, session, path } = traffic
  const { idleTimeoutMs, endpoint } = wire
  const { headers } = session
  const request = { path, headers, lane: 'calls', idleTimeoutMs, isOptional: false } as const
  const stream = new FollowedStream(wire, request, cursor, {
    ...handlers,
    gaveUp: (failure, status) => {
      if (status === 404) traffic.loseSession(sessionId, failure)
      if (failure instanceof AuthorizationError) return onFailure(failure)
      const reason = `${endpoint.address} ended its stream before the answer, and the rest could not be had: ${failure.message}`
      onFailure(new HttpError({ status, reason }, { cause: failure }))
    },
  })
  stream.reopen()
  return stream
}
