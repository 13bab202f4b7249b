import { thrownMessage } from './thrown-message.ts'

/**
 * Every failure of this package. `error.name`, `error.code` and `instanceof` all work, also after an error crossed a thread.
 *
 * | class | code | means | what to do |
 * | --- | --- | --- | --- |
 * | TimeoutError | `TIMEOUT` | a budget of ours ran out; the connection goes on | raise the option it names, or cancel earlier |
 * | CancelledError | `CANCELLED` | the caller aborted | nothing |
 * | ServerGoneError | `SERVER_GONE` | the server's process ended | read `stderrTail` |
 * | TransportClosedError | `TRANSPORT_CLOSED` | the connection was closed, or its thread died | connect again |
 * | SpawnFailedError | `SPAWN_FAILED` | the process could not be started | fix command, cwd or env as the message says |
 * | InternalError | `INTERNAL` | a fault of this package; see `cause` | report it |
 * | ProtocolError | the peer's integer | the peer answered with a JSON-RPC error | see `data` |
 * | InvalidResultError | `INVALID_RESULT` | the peer's answer breaks the protocol or its own schema | report it to the server's author |
 * | MessageTooLargeError | `MESSAGE_TOO_LARGE` | one message passed `maxMessageBytes` | raise it, or ask for less |
 * | UnsupportedVersionError | `UNSUPPORTED_VERSION` | no protocol version in common | see `supported` |
 * | InputLoopExceededError | `INPUT_LOOP_EXCEEDED` | the server kept asking past `maxInputRounds` | raise it if the server is honest |
 * | HttpError | `HTTP` | a server on a URL answered with a status that is no answer, or could not be reached (`status` 0) | see `status`, `bodyTail` and `cause` |
 * | AuthorizationError | `AUTHORIZATION` | the server wants other credentials (401, 403), or there are none to be had | read it; sign in, or fix `auth` or `headers` |
 * | ServerDownError | `SERVER_DOWN` | a supervised server is down, and did not come up within `downWaitMs`; nothing was sent | see `cause`; `registry.restart` when it is exhausted |
 * | ProviderFailedError | `PROVIDER_FAILED` | a provider in a registry threw, or answered what is no answer | see `cause`; the other providers go on |
 * | ConfigError | `CONFIG` | an option or argument is unknown or bad | fix the option at `path` |
 */
export abstract class McpError extends Error {
  abstract readonly code: string | number

  constructor(name: string, message: string, options: ErrorOptions = {}) {
    super(message, 'cause' in options ? { cause: options.cause } : undefined)
    // Not the class's own name: bundlers rename classes.
    Object.defineProperty(this, 'name', {
      value: name,
      enumerable: false,
      configurable: true,
      writable: true,
    })
  }
}

/** A budget of ours ran out before the peer answered. Never a peer's error. */
export class TimeoutError extends McpError {
  readonly code = 'TIMEOUT'
  readonly method: string
  readonly timeoutMs: number

  /** `option` names what to raise; default `timeoutMs`. */
  constructor(details: { method: string; timeoutMs: number; option?: string }, options?: ErrorOptions) {
    const option = details.option ?? 'timeoutMs'
    super(
      'TimeoutError',
      `${details.method} was not answered within ${details.timeoutMs} ms (raise ${option} if it needs longer)`,
      options,
    )
    this.method = details.method
    this.timeoutMs = details.timeoutMs
  }
}

/** The call was cancelled: by the caller, which the server was told where the protocol allows it, or as `by` says. */
export class CancelledError extends McpError {
  readonly code = 'CANCELLED'
  readonly method: string

  readonly by: 'caller' | 'server' | 'host'

  constructor(details: { method: string; by?: 'caller' | 'server' | 'host' }, options?: ErrorOptions) {
    const { method, by = 'caller' } = details
    super('CancelledError', `${method} was cancelled by the ${by}`, options)
    this.method = method
    this.by = by
  }
}

/** The server's process ended while it was needed. */
export class ServerGoneError extends McpError {
  readonly code = 'SERVER_GONE'
  readonly exitCode: number | null
  readonly signal: string | null
  /** The last lines of its stderr, oldest first. */
  readonly stderrTail: readonly string[]

  constructor(
    details: {
      command: string
      exitCode: number | null
      signal: string | null
      stderrTail: readonly string[]
    },
    options?: ErrorOptions,
  ) {
    const how = details.signal ? `was killed by ${details.signal}` : `exited with code ${details.exitCode}`
    const last = details.stderrTail.at(-1)
    super(
      'ServerGoneError',
      `The server ${details.command} ${how}${last ? `; its last words: ${last}` : ''}`,
      options,
    )
    this.exitCode = details.exitCode
    this.signal = details.signal
    this.stderrTail = details.stderrTail
  }
}

/** The connection is closed. Open another one. */
export class TransportClosedError extends McpError {
  readonly code = 'TRANSPORT_CLOSED'

  constructor(reason = 'The connection is closed', options?: ErrorOptions) {
    super('TransportClosedError', reason, options)
  }
}

/** A fault of this package, not of the server. Please report it. */
export class InternalError extends McpError {
  readonly code = 'INTERNAL'

  constructor(reason: string, options?: ErrorOptions) {
    super('InternalError', reason, options)
  }
}

/** The process could not be started; the message says what to change. */
export class SpawnFailedError extends McpError {
  readonly code = 'SPAWN_FAILED'
  readonly command: string

  constructor(details: { command: string; reason: string }, options?: ErrorOptions) {
    super('SpawnFailedError', `Cannot start ${details.command}: ${details.reason}`, options)
    this.command = details.command
  }
}

/** The peer answered with a JSON-RPC error. `code` and `data` are the peer's own. */
export class ProtocolError extends McpError {
  readonly code: number
  readonly data: unknown

  constructor(details: { code: number; message: string; data?: unknown }, options?: ErrorOptions) {
    super('ProtocolError', details.message, options)
    this.code = details.code
    this.data = details.data
  }
}

/** The peer's answer breaks the protocol, or the tool's own `outputSchema`. */
export class InvalidResultError extends McpError {
  readonly code = 'INVALID_RESULT'
  readonly method: string

  constructor(details: { method: string; reason: string }, options?: ErrorOptions) {
    super('InvalidResultError', `The answer to ${details.method} is invalid: ${details.reason}`, options)
    this.method = details.method
  }
}

/** One message passed the size limit of the wire. Only the call it answers fails. */
export class MessageTooLargeError extends McpError {
  readonly code = 'MESSAGE_TOO_LARGE'
  readonly maxMessageBytes: number

  constructor(details: { maxMessageBytes: number }, options?: ErrorOptions) {
    super(
      'MessageTooLargeError',
      `The answer is larger than maxMessageBytes (${details.maxMessageBytes} bytes) and was discarded; raise the limit or ask for less`,
      options,
    )
    this.maxMessageBytes = details.maxMessageBytes
  }
}

/** Client and server share no protocol version. */
export class UnsupportedVersionError extends McpError {
  readonly code = 'UNSUPPORTED_VERSION'
  /** What the server named, in its order; may be empty. */
  readonly supported: readonly string[]

  constructor(
    details: { requested: readonly string[]; supported: readonly string[] },
    options?: ErrorOptions,
  ) {
    const theirs = details.supported.length ? `it names ${details.supported.join(', ')}` : 'it names none'
    super(
      'UnsupportedVersionError',
      `The server speaks no protocol version of ours (${details.requested.join(', ')}): ${theirs}`,
      options,
    )
    this.supported = details.supported
  }
}

/** The server answered `input_required` more often than `maxInputRounds` allows. */
export class InputLoopExceededError extends McpError {
  readonly code = 'INPUT_LOOP_EXCEEDED'
  readonly method: string
  readonly rounds: number

  constructor(details: { method: string; rounds: number }, options?: ErrorOptions) {
    super(
      'InputLoopExceededError',
      `${details.method} still asked for input after ${details.rounds} rounds (maxInputRounds)`,
      options,
    )
    this.method = details.method
    this.rounds = details.rounds
  }
}

/** A server on a URL could not be reached (`status` 0, see `cause`), or answered with a status that is no answer. */
export class HttpError extends McpError {
  readonly code = 'HTTP'
  readonly status: number
  /** The end of the body, at most 1000 characters. */
  readonly bodyTail: string

  constructor(details: { status: number; bodyTail?: string; reason: string }, options?: ErrorOptions) {
    super('HttpError', details.reason, options)
    this.status = details.status
    this.bodyTail = details.bodyTail ?? ''
  }
}

/** The server wants other credentials (401, or 403 with a challenge), or getting some came to nothing: the message says why, and what to do. */
export class AuthorizationError extends McpError {
  readonly code = 'AUTHORIZATION'
  readonly status: number
  /** The `WWW-Authenticate` header, where there was one. */
  readonly challenge: string | undefined

  constructor(details: { status: number; challenge?: string; reason: string }, options?: ErrorOptions) {
    super('AuthorizationError', details.reason, options)
    this.status = details.status
    this.challenge = details.challenge
  }
}

/** An option or argument is unknown or bad. Raised before anything starts. */
export class ConfigError extends McpError {
  readonly code = 'CONFIG'
  /** Where the bad value stands, e.g. `['args', '2']`. */
  readonly path: readonly string[]

  constructor(details: { path: readonly string[]; reason: string }, options?: ErrorOptions) {
    super('ConfigError', `${details.path.join('.') || 'options'}: ${details.reason}`, options)
    this.path = details.path
  }
}

/** A supervised server is down: the call was not sent. `cause` is why it went down. */
export class ServerDownError extends McpError {
  readonly code = 'SERVER_DOWN'
  readonly server: string

  constructor(details: { server: string; reason: string }, options?: ErrorOptions) {
    super('ServerDownError', `The server ${details.server} is down: ${details.reason}`, options)
    this.server = details.server
  }
}

/** A provider in a registry threw, or answered with what is no answer. Only its own calls fail. */
export class ProviderFailedError extends McpError {
  readonly code = 'PROVIDER_FAILED'
  /** Its prefix. */
  readonly provider: string

  constructor(details: { provider: string; what: string }, options: ErrorOptions = {}) {
    const { provider, what } = details
    const { cause } = options
    const why = cause === undefined ? '' : `: ${thrownMessage(cause)}`
    super('ProviderFailedError', `The provider ${provider} ${what}${why}`, options)
    this.provider = provider
  }
}
