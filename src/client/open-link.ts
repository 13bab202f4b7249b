import type { ConnectionOptions } from '../../workers/connection/options.ts'
import type { Uplink } from '../../workers/frames.ts'
import type { Link, LinkOptions, TransportSpec } from '../../workers/link.ts'
import { systemClock } from '../clock.ts'
import { deriveClientCapabilities } from '../protocol/capabilities.ts'
import { modernVersions } from '../protocol/versions.ts'
import { packageVersion } from '../version.ts'
import { hookDesk, wiredHooks } from './hook-desk.ts'
import type { StdioClientOptions } from './options.ts'

/** What the connection is told of the client's options; defaults are set here and nowhere else. */
export function connectionOptions(options: StdioClientOptions): ConnectionOptions {
  const hooks = wiredHooks(options)
  return {
    protocolVersions: options.protocolVersions ?? modernVersions,
    era: options.era ?? 'auto',
    connectTimeoutMs: options.connectTimeoutMs ?? 30_000,
    probeTimeoutMs: options.probeTimeoutMs ?? 5_000,
    requestTimeoutMs: options.requestTimeoutMs ?? 60_000,
    maxTotalTimeoutMs: options.maxTotalTimeoutMs ?? 0,
    maxInputRounds: options.maxInputRounds ?? 8,
    clientInfo: {
      name: options.clientName ?? 'mcp-troupe',
      version: options.clientVersion ?? packageVersion,
    },
    clientCapabilities: deriveClientCapabilities(hooks, options.clientCapabilities),
    hooks,
    logLevel: options.logLevel,
    forwardStderr: options.onStderr !== undefined,
    trace: options.onTrace !== undefined,
  }
}

/** Starts the connection where the options want it. Thread code and libraries are loaded by the first that needs them. */
export async function openLink(
  options: StdioClientOptions,
  connection: ConnectionOptions,
  receive: (frame: Uplink) => void,
): Promise<Link> {
  const { desk, withdrawAll } = hookDesk(options)
  const link = await linkFor(options, { options: connection, desk, receive })
  // A thread that died withdraws nothing by itself.
  link.ended.then(withdrawAll, withdrawAll)
  return link
}

async function linkFor(options: StdioClientOptions, start: LinkOptions): Promise<Link> {
  if (!options.transport && options.hosting !== 'inline') {
    const { openThreadLink } = await import('../../workers/thread-link.ts')
    return openThreadLink(stdioSpec(options), start)
  }
  const { openInlineLink } = await import('../../workers/inline-link.ts')
  const { createTransport } = await import('../../workers/create-transport.ts')
  return openInlineLink(options.transport ?? (await createTransport(stdioSpec(options))), systemClock, start)
}

function stdioSpec(options: StdioClientOptions): TransportSpec {
  const { command = '', args, env, inheritEnv, cwd, killGraceMs, stderrLines, maxMessageBytes } = options
  return {
    kind: 'stdio',
    options: { command, args, env, inheritEnv, cwd, killGraceMs, stderrLines, maxMessageBytes },
  }
}
