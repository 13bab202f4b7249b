import type { Socket } from 'node:net'
import type { Endpoint } from './endpoint.ts'
import type { HttpOptions } from './http-options.ts'
import { proxyOf } from './proxy-of.ts'
import { buildConnector, type Dispatcher, EnvHttpProxyAgent, Pool } from './undici.ts'

/** The sockets of one transport. Each lane is bounded, and what is over its bound waits in order for a connection that is free. */
export interface Lanes {
  /** For what may stay open for long. */
  readonly calls: Dispatcher
  /** For what is quick and must never wait behind a call: an answer to the server may be what that call is waiting for. */
  readonly control: Dispatcher
  /** Whether an environment variable names a proxy for this endpoint, and which host. */
  readonly proxy: string | undefined
  /** Ends all, also what is just connecting. Resolves when no socket is left. */
  destroy(): Promise<void>
}

/** Opens nothing: connections are made when they are needed. @throws ConfigError for a proxy variable that holds no URL. */
export function openLanes(
  endpoint: Endpoint,
  options: Required<Pick<HttpOptions, 'connectTimeoutMs' | 'proxy'>>,
): Lanes {
  const connecting = new Set<Socket>()
  const proxy = options.proxy ? proxyOf(endpoint) : undefined
  const dispatcher = (connections: number): Dispatcher =>
    proxy === undefined
      ? openPool(endpoint, options.connectTimeoutMs, connections, connecting)
      : openProxied(options.connectTimeoutMs, connections, connecting)
  const calls = dispatcher(maxCalls)
  const control = dispatcher(maxControl)
  const destroy = async (): Promise<void> => {
    // undici leaves these to their timeout.
    for (const socket of connecting) socket.destroy()
    await Promise.all([calls.destroy(), control.destroy()])
  }
  return { calls, control, proxy, destroy }
}

function openPool(
  { origin, socketPath }: Endpoint,
  timeout: number,
  connections: number,
  connecting: Set<Socket>,
): Dispatcher {
  const connect = tracked(buildConnector({ timeout, ...(socketPath && { socketPath }) }), connecting)
  return new Pool(origin, { connections, pipelining: 1, connect })
}

/** HTTP goes to the proxy as it is and HTTPS through a tunnel, as everywhere: most proxies refuse tunnels to port 80. */
function openProxied(timeout: number, connections: number, connecting: Set<Socket>): Dispatcher {
  const openPool = (origin: string | URL, options: Pool.Options): Dispatcher => {
    const { connect } = options
    const connector = typeof connect === 'function' ? connect : buildConnector(connect)
    return new Pool(origin, { ...options, connect: tracked(connector, connecting) })
  }
  const limits = { connections, pipelining: 1, connect: { timeout } }
  const tls = { proxyTls: { timeout }, requestTls: { timeout } }
  return new EnvHttpProxyAgent({
    ...limits,
    ...tls,
    proxyTunnel: false,
    factory: openPool,
    clientFactory: openPool,
  })
}

/** Remembers each socket while it connects. */
function tracked(connect: buildConnector.connector, connecting: Set<Socket>): buildConnector.connector {
  return (target, callback) => {
    let socket: unknown
    let isSettled = false
    // The socket is returned, though the types do not say so; a tunnel returns a promise instead.
    socket = (connect as (...args: Parameters<typeof connect>) => unknown)(target, (...outcome) => {
      isSettled = true
      if (isSocket(socket)) connecting.delete(socket)
      callback(...outcome)
    })
    if (isSocket(socket) && !isSettled) connecting.add(socket)
  }
}

function isSocket(value: unknown): value is Socket {
  return typeof value === 'object' && value !== null && 'destroy' in value && 'connecting' in value
}

/** Enough for any crowd that makes sense, and both together far from the usual limit of 1024 open files. */
const maxCalls = 256
const maxControl = 32
