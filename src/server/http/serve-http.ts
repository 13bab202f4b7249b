import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { systemClock } from '../../clock.ts'
import { hostInUrl, listenOn } from '../../listen-on.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import type { McpServer } from '../server.ts'
import { isLoopback } from './admission.ts'
import { Backlog } from './backlog.ts'
import { HttpEndpoint } from './endpoint.ts'
import {
  checkEndpointOptions,
  checkServeHttpOptions,
  type HttpEndpointOptions,
  type ServeHttpOptions,
} from './http-options.ts'
import { NodeRequest, NodeResponse, pathOf, repeatedHeader } from './node-wire.ts'
import { refuse } from './refuse.ts'

/** A server that listens. Close it, or `await using` it. */
export interface HttpServing extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those under way be answered, then aborts them. Idempotent. */
  close(): Promise<void>
}

type Listener = (request: IncomingMessage, response: ServerResponse) => void

/**
 * Serves any number of clients at `http://host:port/path`, without encryption: bind anything but loopback only behind a proxy that
 * encrypts and authenticates. Resolves when it listens. @throws ConfigError, also when the address cannot be had
 */
export async function serveHttp(server: McpServer, options: ServeHttpOptions = {}): Promise<HttpServing> {
  checkServeHttpOptions(options)
  const { host = '127.0.0.1', port = 8080, path = 'mcp', closeGraceMs = 2_000 } = options
  const allowedHosts = options.allowedHosts ?? (isLoopback(host) ? [] : undefined)
  const served = `/${path.replace(/^\/+|\/+$/g, '')}`
  const http = createServer(limits(options))
  // Their bytes are counted, and Node drops without a word what is past a number.
  http.maxHeadersCount = 0
  const bound = await listenOn(http, port, host, (message) => server.logSink.report('warning', message))
  const url = `http://${hostInUrl(host)}:${bound}${served}`
  const endpoint = new HttpEndpoint(server, { ...options, allowedHosts }, url)
  const serve = listener(endpoint, options.stallTimeoutMs)
  // In time: nobody who connected is heard before this turn is over.
  http.on('request', (request, response) => {
    const asked = pathOf(request)
    if (asked === served || asked === endpoint.metadataPath) serve(request, response)
    else response.writeHead(404).end()
  })
  let closing: Promise<void> | undefined
  const close = () => {
    closing ??= stop(http, endpoint, closeGraceMs)
    return closing
  }
  return { url, port: bound, close, [Symbol.asyncDispose]: close }
}

/** The same as a listener of node:http and of frameworks on top of it (express, fastify's raw requests). @throws ConfigError */
export function httpListener(server: McpServer, options: HttpEndpointOptions = {}): Listener {
  checkEndpointOptions(options)
  return listener(new HttpEndpoint(server, options))
}

function listener(endpoint: HttpEndpoint, stallTimeoutMs = 60_000): Listener {
  const backlog = new Backlog(stallTimeoutMs)
  return (request, response) => {
    const answer = new NodeResponse(response, backlog)
    const repeated = repeatedHeader(request)
    if (repeated) refuse(answer, 400, ErrorCode.InvalidRequest, `${repeated} is there more than once`)
    else if (answer.isTooMuch) refuse(answer, 503, ErrorCode.InternalError, 'Read what you asked for first')
    else void endpoint.serve(new NodeRequest(request), answer)
  }
}

async function stop(http: Server, endpoint: HttpEndpoint, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()))
  http.closeIdleConnections()
  const timer = systemClock.setTimeout(() => {
    endpoint.abort()
    http.closeAllConnections()
  }, graceMs)
  endpoint.stop()
  await endpoint.settled()
  http.closeIdleConnections()
  await closed
  systemClock.clearTimeout(timer)
  endpoint.abort()
}

/** Who dribbles, or holds a connection without asking, is shown out. In ms and bytes. */
function limits({ headersTimeoutMs = 10_000, requestTimeoutMs = 60_000 }: ServeHttpOptions) {
  return {
    maxHeaderSize: 16 * 1024,
    headersTimeout: Math.min(headersTimeoutMs, requestTimeoutMs),
    requestTimeout: requestTimeoutMs,
    keepAliveTimeout: 30_000,
    connectionsCheckingInterval: Math.min(headersTimeoutMs, requestTimeoutMs, 5_000),
  }
}
