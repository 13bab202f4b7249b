import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { LoggingLevel } from '../../protocol/logging.ts'
import type { Progress } from '../../protocol/progress.ts'
import type { Caller } from '../dispatch/caller.ts'
import type { Questions } from '../input/context-questions.ts'

/** The request a handler works for: its second parameter, and `currentRequest()` anywhere below it. */
export interface RequestContext extends Caller, Questions {
  /** Who asks, by the token of the request; undefined where the transport does not know. */
  readonly principal: string | undefined
  /** What that token may be used for; undefined where the transport does not know. */
  readonly scopes: readonly string[] | undefined
  /** What the request carries beside its arguments (`_meta`), the protocol's own keys too; nobody checked it. */
  readonly meta: JsonObject
  /** Aborts when nobody waits any more: the caller cancelled, left, or the server stops. */
  readonly signal: AbortSignal
  /** Whether a message of that level would reach the caller: worth asking before building an expensive one. */
  wantsLog(level: LoggingLevel): boolean
  /** Tells the caller, if it wants to know, and stderr always. `data` is any JSON. No secrets. */
  log(level: LoggingLevel, data: unknown): void
  /**
   * Lets the caller's connection go while the work goes on; its client comes back for the answer. Only clients of 2025-11-25 over HTTP
   * with an `eventStore` can: for all others nothing happens.
   */
  disconnect(): void
  /**
   * Tells how far the work is, if the caller asked to hear; `progress` must grow, and what does not is not sent. In a task it becomes
   * the task's `statusMessage`.
   */
  progress(report: Progress): void
  /**
   * In a tool with `taskStart: 'handler'`: makes a task of the call, and resolves when its caller can ask for it. What was asked before
   * was asked in rounds; from here on questions are the task's, and the handler waits for their answers. Nothing changes where the
   * caller takes no tasks, or the call is one already. @throws ProtocolError when no more tasks are kept
   */
  startTask(): Promise<void>
}
