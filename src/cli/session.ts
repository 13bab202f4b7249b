import type { McpClient } from '../client/client.ts'
import type { ClientOptions } from '../client/options.ts'
import type { ServerSpec } from '../config/config.ts'
import { ServerGoneError } from '../errors.ts'
import { advise } from './advice.ts'
import { missingTarget } from './command-line.ts'
import { Commentary } from './commentary.ts'
import type { Invocation } from './invocation.ts'

export interface Session {
  readonly client: McpClient
  readonly commentary: Commentary
  /** Aborts when the command is interrupted: goes along with every call, so that the server hears of it. */
  readonly signal: AbortSignal
}

/** For whoever answers the server's questions. */
type AnsweringOptions = Pick<ClientOptions, 'onElicit' | 'clientCapabilities'>

/** Runs the server of a command line for as long as `use` needs it. */
export async function withServer<Result>(
  invocation: Invocation,
  use: (session: Session) => Promise<Result>,
  hooks: AnsweringOptions = {},
): Promise<Result> {
  const commentary = new Commentary(invocation)
  const client = await connect(invocation, commentary, hooks)
  const signal = invocation.io.interrupt
  try {
    return await Promise.race([use({ client, commentary, signal }), aborted(signal)])
  } catch (error) {
    adviseOn(error, client)
    throw error
  } finally {
    commentary.end()
    await client.close()
  }
}

/** What is said on the command line wins over what is configured. */
async function connect(
  invocation: Invocation,
  commentary: Commentary,
  hooks: AnsweringOptions,
): Promise<McpClient> {
  const { McpClient } = await import('../client/client.ts')
  const { name, options, target, server } = invocation
  const configured = server?.client
  const { onStderr, ...listeners } = commentary.listeners
  const common: ClientOptions = {
    ...configured,
    ...listeners,
    ...hooks,
    era: options.era ?? configured?.era,
    requestTimeoutMs: options.timeout ?? configured?.requestTimeoutMs,
    probeTimeoutMs: options.probeTimeout ?? configured?.probeTimeoutMs,
    logLevel: options.logLevel ?? configured?.logLevel,
    // As fast as a thread for one connection, without waking a pool of them.
    hosting: 'inline',
  }
  if (options.url !== undefined)
    return McpClient.connectHttp({ ...common, url: options.url, headers: options.header })
  const spec: ServerSpec | undefined = server?.spec ?? target
  if (!spec) throw missingTarget([name])
  if ('url' in spec)
    return McpClient.connectHttp({
      ...common,
      url: spec.url,
      headers: { ...spec.headers, ...options.header },
    })
  return McpClient.connectStdio({
    killGraceMs,
    ...common,
    ...spec,
    onStderr,
    cwd: options.cwd ?? spec.cwd,
    env: { ...spec.env, ...options.env },
  })
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

/** A server that dies of the very first question, which old ones do, may live without it. */
function adviseOn(error: unknown, client: McpClient): void {
  const { era, evidence } = client.state.context
  const [question] = evidence
  const isDeathByProbe = !era && question?.asked === 'server/discover' && question.answer.kind === 'gone'
  if (error instanceof ServerGoneError && isDeathByProbe)
    advise(error, [
      'If it runs by itself, it may be an old one that dies of being asked its era: try --era legacy.',
      'See all it says with --verbose.',
    ])
}

/** Shorter than the library's: somebody waits for the prompt to come back. */
const killGraceMs = 1000
