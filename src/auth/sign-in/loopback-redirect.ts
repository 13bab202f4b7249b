import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { listenOn } from '../../listen-on.ts'
import { type Ending, endingPage, endingPageHeaders } from './page.ts'

export interface LoopbackOptions {
  readonly port: number
  readonly path: string
  /** For the page at the end. */
  readonly appName: string
}

/** Somebody who waits for the browser. */
interface Waiting {
  /** Undefined where the authorization server was told the state in another way. */
  readonly state: string | undefined
  readonly arrived: (url: URL) => void
}

/** Where browsers come back to, on this machine only. Whatever nobody waits for is not there (404). */
export class LoopbackRedirect {
  readonly redirectUri: string
  readonly #server: Server
  readonly #appName: string
  readonly #waiting = new Set<Waiting>()

  /** @throws ConfigError when the port cannot be had */
  static async open({ port, path, appName }: LoopbackOptions): Promise<LoopbackRedirect> {
    const server = createServer(limits)
    const bound = await listenOn(server, port, '127.0.0.1')
    return new LoopbackRedirect(server, new URL(`http://127.0.0.1:${bound}${path}`).href, appName)
  }

  private constructor(server: Server, redirectUri: string, appName: string) {
    this.redirectUri = redirectUri
    this.#server = server
    this.#appName = appName
    server.on('request', (request, response) => this.#answer(request, response))
    // It keeps the process alive only while somebody waits.
    server.unref()
  }

  /** Resolves with the whole URL of the browser that brings that state, once; never when the signal aborts before. */
  next(state: string | undefined, signal: AbortSignal): Promise<URL> {
    return new Promise((resolve) => {
      const waiting = { state, arrived: resolve }
      this.#waiting.add(waiting)
      this.#server.ref()
      signal.addEventListener('abort', () => this.#leave(waiting), { once: true })
    })
  }

  /** Idempotent. */
  async close(): Promise<void> {
    this.#waiting.clear()
    if (!this.#server.listening) return
    const closed = once(this.#server, 'close')
    this.#server.close()
    this.#server.closeAllConnections()
    await closed
  }

  #leave(waiting: Waiting): void {
    this.#waiting.delete(waiting)
    if (this.#waiting.size === 0) this.#server.unref()
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    const url = this.#readUrl(request)
    const waiting = url && [...this.#waiting].find(({ state }) => isAnswerTo(url, state))
    if (!waiting) return void response.writeHead(404, { Connection: 'close' }).end()
    this.#waiting.delete(waiting)
    response.writeHead(200, { ...endingPageHeaders, Connection: 'close' })
    response.end(endingPage(endingOf(url), this.#appName))
    // Whoever waits may end the process next, and the page is to be seen.
    response.once('close', () => waiting.arrived(url))
  }

  /** A page elsewhere may make its own name point here: the name must be ours. */
  #readUrl({ method, url: target = '', headers }: IncomingMessage): URL | undefined {
    const own = new URL(this.redirectUri)
    const isOurs = method === 'GET' && headers.host === own.host && target.startsWith(`${own.pathname}?`)
    return isOurs && URL.canParse(target, own.href) ? new URL(target, own) : undefined
  }
}

/** Anything but one code or one error, for the state that was sent, is no answer. */
export function isAnswerTo({ searchParams }: URL, state: string | undefined): boolean {
  const answers = [...searchParams.getAll('code'), ...searchParams.getAll('error')]
  const states = searchParams.getAll('state')
  return answers.length === 1 && states.length <= 1 && (state === undefined || states[0] === state)
}

function endingOf({ searchParams }: URL): Ending {
  if (searchParams.has('code')) return 'granted'
  return searchParams.get('error') === 'access_denied' ? 'refused' : 'failed'
}

/** In ms and bytes. */
const limits = { maxHeaderSize: 16 * 1024, headersTimeout: 10_000, requestTimeout: 10_000 }
