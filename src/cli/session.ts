import type { McpClient } from '../client/client.ts'
import type { ClientOptions, HttpClientOptions } from '../client/options.ts'
import type { ServerSpec } from '../config/config.ts'
import { AuthorizationError, ServerGoneError } from '../errors.ts'
import { describeTarget } from '../transports/http/target.ts'
import { advise } from './advice.ts'
import { storedAuth } from './auth/stored-auth.ts'
import { missingTarget, quoted } from './command-line.ts'
import { Commentary } from './commentary.ts'
import type { Invocation } from './invocation.ts'

export interface Session {
  readonly client: McpClient
  readonly commentary: Commentary
  /** Aborts when the command is interrupted: goes along with every call, so that the server hears of it. */
  readonly signal: AbortSignal
}

/** For whoever answers the server's questions, or signs in to it. */
type OwnOptions = Pick<ClientOptions, 'onElicit' | 'clientCapabilities'> & Pick<HttpClientOptions, 'auth'>

/** Runs the server of a command line for as long as `use` needs it. */
export async function withServer<Result>(
  invocation: Invocation,
  use: (session: Session) => Promise<Result>,
  own: OwnOptions = {},
): Promise<Result> {
  const commentary = new Commentary(invocation)
  const client = await connect(invocation, commentary, own)
  const signal = invocation.io.interrupt
  try {
    return await Promise.race([use({ client, commentary, signal }), aborted(signal)])
  } catch (error) {
    adviseOn(error, client)
    if (error instanceof AuthorizationError) advise(error, own.auth ? [] : signingIn(invocation))
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
  { auth, ...hooks }: OwnOptions,
): Promise<McpClient> {
  const { McpClient } = await import('../client/client.ts')
  const { io, name, options, target, server } = invocation
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
  const spec: ServerSpec | undefined =
    options.url === undefined ? (server?.spec ?? target) : { url: options.url }
  if (!spec) throw missingTarget([name])
  if ('url' in spec) {
    const wire = { url: spec.url, headers: { ...spec.headers, ...options.header } }
    return McpClient.connectHttp({
      ...common,
      ...wire,
      auth: auth ?? (await storedAuth({ ...wire, auth: spec.auth }, io)),
    })
  }
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

/** What may hold a secret is not repeated. */
function signingIn({ options: { url = '' }, server }: Invocation): readonly string[] {
  const isPlain = URL.canParse(url) && describeTarget(url) === new URL(url).href
  const name = server ? quoted(server.name) : isPlain ? quoted(url) : '<url>'
  return [`Sign in with troupe auth ${name}, or give it credentials with --header "Authorization: Bearer …".`]
}

/** Shorter than the library's: somebody waits for the prompt to come back. */
const killGraceMs = 1000
