import type { ConnectionOptions } from '../../workers/connection/options.ts'
import type { Uplink } from '../../workers/frames.ts'
import type { Link, LinkOptions, TransportSpec } from '../../workers/link.ts'
import { systemClock } from '../clock.ts'
import { deriveClientCapabilities } from '../protocol/capabilities.ts'
import { modernVersions } from '../protocol/versions.ts'
import type { Transport } from '../transports/transport.ts'
import { packageVersion } from '../version.ts'
import type { TokenSource } from './authorization-desk.ts'
import { type HeaderSource, hookDesk, wiredHooks } from './hook-desk.ts'
import { isWatched } from './inspection/inspect.ts'
import type { ClientOptions, HttpClientOptions, StdioClientOptions } from './options.ts'

/** What the connection is told of the client's options; defaults are set here and nowhere else. */
export function connectionOptions(
  options: ClientOptions &
    Pick<StdioClientOptions, 'onStderr' | 'killGraceMs'> &
    Pick<HttpClientOptions, 'headers'>,
): ConnectionOptions {
  const hooks = wiredHooks(options)
  return {
    protocolVersions: options.protocolVersions ?? modernVersions,
    era: options.era ?? 'auto',
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
    probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? 0,
    maxInputRounds: options.maxInputRounds ?? 8,
    closeTimeoutMs: closeTimeoutMs(options),
    maxResultChars: options.maxResultChars,
    clientInfo: {
      name: options.clientName ?? 'mcp-troupe',
      version: options.clientVersion ?? packageVersion,
    },
    clientCapabilities: deriveClientCapabilities(hooks, options.clientCapabilities, options.tasks),
    hooks,
    keepsPrivate: !('headers' in options && typeof options.headers === 'function'),
    tasks: options.tasks ?? false,
    logLevel: options.logLevel,
    forwardStderr: options.onStderr !== undefined,
    trace: options.onTrace !== undefined,
    watched: isWatched(options.inspect),
  }
}

/** Each of the steps of closing takes a grace, and there are three: a server's own end, SIGTERM, and what it leaves behind. */
function closeTimeoutMs({ killGraceMs = 0 }: Pick<StdioClientOptions, 'killGraceMs'>): number {
  return 30_000 + 3 * killGraceMs
}

/** A wire to open, where the application gave no ready-made one. */
export type WireChoice = Transport | TransportSpec

/** What of a request over HTTP the host knows. */
export interface RequestSources {
  readonly headers?: HeaderSource
  readonly tokens?: TokenSource
}

/** Starts the connection where the options want it. Thread code and libraries are loaded by the first that needs them. */
export async function openLink(
  wire: WireChoice,
  options: ClientOptions,
  sources: RequestSources,
  connection: ConnectionOptions,
  receive: (frame: Uplink) => void,
): Promise<Link> {
  const { desk, withdrawAll } = hookDesk(options, sources.headers, sources.tokens)
  const link = await linkFor(wire, options.hosting, { options: connection, desk, receive })
  // A thread that died withdraws nothing by itself.
  link.ended.then(withdrawAll, withdrawAll)
  return link
}

export function stdioSpec(options: StdioClientOptions): TransportSpec {
  const { command = '', args, env, inheritEnv, cwd, killGraceMs, stderrLines, maxMessageBytes } = options
  return {
    kind: 'stdio',
    options: { command, args, env, inheritEnv, cwd, killGraceMs, stderrLines, maxMessageBytes },
  }
}

export function httpSpec(options: HttpClientOptions): TransportSpec {
  const { url = '', auth, headers, connectTimeoutMs, idleTimeoutMs, maxMessageBytes, proxy } = options
  const asksHeaders = typeof headers === 'function'
  return {
    kind: 'http',
    options: {
      url,
      headers: asksHeaders ? undefined : headers,
      connectTimeoutMs,
      idleTimeoutMs,
      maxMessageBytes,
      proxy,
    },
    asksHeaders,
    asksCredentials: auth !== undefined,
  }
}

async function linkFor(
  wire: WireChoice,
  hosting: ClientOptions['hosting'],
  start: LinkOptions,
): Promise<Link> {
  const isSpec = !('open' in wire)
  if (isSpec && hosting !== 'inline') {
    const { openThreadLink } = await import('../../workers/thread-link.ts')
    return openThreadLink(wire, start)
  }
  const { openInlineLink } = await import('../../workers/inline-link.ts')
  const { createTransport } = await import('../../workers/create-transport.ts')
  return openInlineLink(isSpec ? await createTransport(wire, start.desk) : wire, systemClock, start)
}
