import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { systemClock } from '../../clock.ts'
import { ConfigError } from '../../errors.ts'
import type { McpServer } from '../server.ts'
import { isLoopback } from './admission.ts'
import { HttpEndpoint } from './endpoint.ts'
import {
  checkEndpointOptions,
  checkServeHttpOptions,
  type HttpEndpointOptions,
  type ServeHttpOptions,
} from './http-options.ts'
import { NodeRequest, NodeResponse, pathOf } from './node-wire.ts'

/** A server that listens. Close it, or `await using` it. */
export interface HttpServing extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Takes no more requests, lets those under way be answered, then aborts them. Idempotent. */
  close(): Promise<void>
}

/**
 * Serves any number of clients at `http://host:port/path`, without encryption: bind anything but loopback only behind a proxy that
 * encrypts and authenticates. Resolves when it listens. @throws ConfigError, also when the address cannot be had
 */
export async function serveHttp(server: McpServer, options: ServeHttpOptions = {}): Promise<HttpServing> {
  checkServeHttpOptions(options)
  const { host = '127.0.0.1', port = 8080, path = 'mcp', closeGraceMs = 2_000 } = options
  const allowedHosts = options.allowedHosts ?? (isLoopback(host) ? [] : undefined)
  const served = `/${path.replace(/^\/+|\/+$/g, '')}`
  const http = createServer(limits)
  await listen(http, host, port)
  const { port: bound } = http.address() as AddressInfo
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${bound}${served}`
  const endpoint = new HttpEndpoint(server, { ...options, allowedHosts }, url)
  // In time: nobody who connected is heard before this turn is over.
  http.on('request', (request, response) => {
    const path = pathOf(request)
    if (path === served || path === endpoint.metadataPath) serveOne(endpoint, request, response)
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
export function httpListener(
  server: McpServer,
  options: HttpEndpointOptions = {},
): (request: IncomingMessage, response: ServerResponse) => void {
  checkEndpointOptions(options)
  const endpoint = new HttpEndpoint(server, options)
  return (request, response) => serveOne(endpoint, request, response)
}

function serveOne(endpoint: HttpEndpoint, request: IncomingMessage, response: ServerResponse): void {
  void endpoint.serve(new NodeRequest(request), new NodeResponse(response))
}

function listen(http: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    http.once('error', (cause) =>
      reject(
        new ConfigError(
          { path: ['port'], reason: `cannot listen on ${host}:${port}: ${cause.message}` },
          { cause },
        ),
      ),
    )
    http.listen(port, host, resolve)
  })
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
}

/** Who dribbles, or holds a connection without asking, is shown out. In ms and bytes. */
const limits = {
  maxHeaderSize: 16 * 1024,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 30_000,
  connectionsCheckingInterval: 5_000,
}
