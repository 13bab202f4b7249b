import type { CredentialsDesk } from './credentials.ts'

/** Where a server is and how to reach it. Plain data: it crosses to the thread that runs the connection. */
export interface HttpOptions {
  /**
   * `https://host/mcp`, `http://…`, or `unix:/path/to.sock:/mcp` for a server on a Unix socket. Without credentials: those
   * belong into `headers`.
   */
  readonly url: string
  /** Sent with every request, e.g. `Authorization`; never to another origin. Default: none. */
  readonly headers?: Readonly<Record<string, string>>
  /** How long a connection may take to be made, and HTTP+SSE to name its endpoint. Milliseconds, default 10 000. */
  readonly connectTimeoutMs?: number
  /** How long a server may be silent before and while it answers a request; any byte counts. Milliseconds, default 0: for ever. */
  readonly idleTimeoutMs?: number
  /** A larger answer is discarded, and only the call it answers fails. Bytes, default 64 MiB. */
  readonly maxMessageBytes?: number
  /**
   * Whether `HTTP_PROXY`, `HTTPS_PROXY` and `NO_PROXY` of the environment are obeyed. They never concern loopback addresses and
   * sockets. Default: true.
   */
  readonly proxy?: boolean
}

/** What cannot cross a thread: given beside the options. */
export interface HttpHooks {
  /** Asked before each request for headers over those of the options, e.g. a token that is still fresh. */
  readonly headers?: () => Promise<Readonly<Record<string, string>>> | Readonly<Record<string, string>>
  /**
   * Asked for a token when none is known or it is not fresh, and told when the server refuses it: the request is then sent once
   * more. Over any other `Authorization`.
   */
  readonly credentials?: CredentialsDesk
}

/** The options with their defaults. */
export function withDefaults(options: HttpOptions): Required<HttpOptions> {
  const {
    url,
    headers = {},
    connectTimeoutMs = 10_000,
    idleTimeoutMs = 0,
    maxMessageBytes = 64 * 1024 * 1024,
    proxy = true,
  } = options
  return { url, headers, connectTimeoutMs, idleTimeoutMs, maxMessageBytes, proxy }
}
