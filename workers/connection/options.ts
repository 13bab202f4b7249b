import type { ConnectionInput } from '../../machines/index.ts'
import type { ClientCapabilities, HookName } from '../../src/protocol/capabilities.ts'
import type { Implementation } from '../../src/protocol/implementation.ts'
import type { LoggingLevel } from '../../src/protocol/logging.ts'

/** Everything a connection is told when it starts. Plain data: it crosses into a thread. */
export interface ConnectionOptions extends ConnectionInput {
  readonly clientInfo: Implementation
  readonly clientCapabilities: ClientCapabilities
  /** The hooks the host wired. */
  readonly hooks: readonly HookName[]
  /** Whether all requests have the same credentials, so that `private` results may be kept. */
  readonly keepsPrivate: boolean
  /** Whether a call may become a task. */
  readonly tasks: boolean
  readonly logLevel: LoggingLevel | undefined
  /** Cuts the text of a tool's answer for a model; undefined: all of it. */
  readonly maxResultChars: number | undefined
  /** Caps every call, whatever progress says; 0: no cap. */
  readonly maxTotalTimeoutMs: number
  /** Whether the host wants the server's stderr line by line, and every message on the wire. */
  readonly forwardStderr: boolean
  readonly trace: boolean
  /** Whether somebody watches from the beginning; `watch` says so later. */
  readonly watched: boolean
}
