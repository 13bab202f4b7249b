import type { Clock } from '../../clock.ts'
import type { McpError } from '../../errors.ts'
import type { Authorization } from './authorization.ts'
import type { Endpoint } from './endpoint.ts'
import type { Lanes } from './lanes.ts'
import type { Reading } from './reading.ts'
import type { FlatHeaders, RequestHeaders } from './request-headers.ts'

/** What every exchange of one transport shares. */
export interface Wire {
  readonly endpoint: Endpoint
  readonly lanes: Lanes
  readonly headers: RequestHeaders
  /** Absent where nobody has tokens for the server. */
  readonly authorization: Authorization | undefined
  readonly clock: Clock
  readonly reading: Reading
  readonly connectTimeoutMs: number
  readonly idleTimeoutMs: number
  readonly maxMessageBytes: number
}

export interface HttpRequest {
  readonly method: 'POST' | 'GET' | 'DELETE'
  readonly path: string
  readonly headers: FlatHeaders
  readonly body?: string
  readonly lane: 'calls' | 'control'
  /** Whether the server may be sent it twice: then it is, once, when the connection broke before any answer. */
  readonly isRepeatable: boolean
  /** 0: it may be silent for ever. */
  readonly idleTimeoutMs: number
}

export type ResponseHeaders = { readonly [name: string]: string | string[] | undefined }

/** What becomes of one request: `head`, any `data`, then `end`; or at any point `failed`, and nothing after it. */
export interface ExchangeListener {
  head(status: number, headers: ResponseHeaders): void
  data(chunk: Buffer): void
  end(): void
  /** `wasRefused`: certainly nobody acted on it. */
  failed(failure: McpError, wasRefused: boolean): void
}
