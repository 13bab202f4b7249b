import { ConfigError } from '../../errors.ts'

/** Where requests go. */
export interface Endpoint {
  /** Scheme, host and port. Of a socket `http://localhost`. */
  readonly origin: string
  /** Path and query. */
  readonly path: string
  /** `host:port`, the port even where it is the scheme's own, or the path of the socket: for messages. */
  readonly address: string
  /** The socket of a `unix:` URL. */
  readonly socketPath?: string
}

/** Takes a URL apart. @throws ConfigError, which never repeats the URL: it may hold a secret. */
export function parseEndpoint(url: string): Endpoint {
  return typeof url === 'string' && url.startsWith('unix:') ? parseSocket(url) : parseUrl(url)
}

function parseUrl(text: string): Endpoint {
  if (!URL.canParse(text)) throw bad('is no URL; write http://…, https://… or unix:/path/to.sock:/mcp')
  const url = new URL(text)
  const { protocol, username, password, origin, hostname, port, pathname, search } = url
  if (protocol !== 'http:' && protocol !== 'https:')
    throw bad(`must start with http:, https: or unix:, not with ${protocol}`)
  if (username || password)
    throw bad('must not hold credentials; put them into headers, e.g. Authorization: Bearer …')
  return { origin, path: pathname + search, address: `${hostname}:${port || defaultPorts[protocol]}` }
}

function parseSocket(url: string): Endpoint {
  const [, socketPath = '', path = '/'] = /^unix:(?:\/\/(?=\/))?(.*?)(?::(\/.*))?$/s.exec(url) ?? []
  if (!socketPath.startsWith('/'))
    throw bad('names no socket; write unix:/path/to.sock:/mcp, with an absolute path')
  const { pathname, search } = new URL(path, socketOrigin)
  return { origin: socketOrigin, path: pathname + search, address: socketPath, socketPath }
}

function bad(reason: string): ConfigError {
  return new ConfigError({ path: ['url'], reason })
}

const socketOrigin = 'http://localhost'
const defaultPorts = { 'http:': 80, 'https:': 443 }
