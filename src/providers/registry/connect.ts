import type { Opening } from '../../../machines/index.ts'
import { badOption } from '../../check-options.ts'
import { McpClient } from '../../client/client.ts'
import {
  type ClientOptions,
  checkHttpOptions,
  checkStdioOptions,
  type HttpClientOptions,
  type StdioClientOptions,
} from '../../client/options.ts'
import type { HttpServer, ServerParts, StdioServer } from './options.ts'

/** What opens a server's connections, one after the other. Everything is checked before the first. @throws ConfigError */
export function connector(
  server: StdioServer | HttpServer,
  own: ServerParts['client'],
  defaults: ClientOptions,
): (opening: Opening) => McpClient {
  const hasUrl = 'url' in server && server.url !== undefined
  const hasCommand = 'command' in server && server.command !== undefined
  if (hasUrl && hasCommand) throw badOption('url', 'stands beside `command`: a server is one or the other')
  const options: StdioClientOptions & HttpClientOptions = { ...defaults, ...own, ...server }
  if (hasUrl) {
    checkHttpOptions(options)
    return (opening) => McpClient.connectHttp({ ...options, era: eraFor(opening, options.era) })
  }
  checkStdioOptions(options)
  return (opening) => McpClient.connectStdio({ ...options, era: eraFor(opening, options.era) })
}

function eraFor(opening: Opening, era: ClientOptions['era']): ClientOptions['era'] {
  const mayChoose = era === undefined || era === 'auto'
  return opening === 'handshake' && mayChoose ? 'legacy' : era
}
