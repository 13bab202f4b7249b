import {
  type Check,
  checkOptions,
  hook,
  milliseconds,
  object,
  portNumber,
  text,
} from '../../check-options.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { AuthorizationError, CancelledError, TimeoutError } from '../../errors.ts'
import { openUrl as openInBrowser } from '../../open-url.ts'
import type { OnRedirect } from '../auth-options.ts'
import { isAnswerTo, LoopbackRedirect } from './loopback-redirect.ts'

export interface InteractiveSignInOptions {
  /** Told where to go, each time and before anything is opened: for those whose browser is elsewhere. */
  readonly onUrl: (url: URL) => void
  /** Opens the page; default with the system's browser. False: nothing is opened. When it fails, `onUrl` was told all the same. */
  readonly openUrl?: ((url: string) => Promise<void>) | false
  /**
   * Asks the person for the address their browser ended at, for a browser on another machine: there, nothing answers it. Asked again, with
   * a complaint, after one that was no such address. Whichever comes first counts.
   */
  readonly pasteRedirect?: (context: {
    readonly signal: AbortSignal
    readonly complaint: string | undefined
  }) => Promise<string>
  /** How long the person may take; milliseconds, default 300 000; 0: for ever. */
  readonly timeoutMs?: number
  /** What the page at the end calls this program; default `mcp-troupe`. */
  readonly appName?: string
  /** Of the redirect; default 0: any free one. */
  readonly port?: number
  /** Of the redirect; default `/callback`. */
  readonly path?: string
  readonly clock?: Clock
}

/** What `auth` of a client takes. Close it when it has signed in. */
export interface InteractiveSignIn extends AsyncDisposable {
  readonly redirectUri: string
  /** Any number of them at once. Rejects with a TimeoutError, or a CancelledError when the signal aborts. */
  readonly onRedirect: OnRedirect
  /** Ends all that is open; nothing listens any more. Idempotent. */
  close(): Promise<void>
}

/**
 * Lets a person sign in with a browser, which comes back to a port of this machine: only there, only to that path, only with the state it
 * was sent with, and once.
 *
 * ```ts
 * await using signIn = await interactiveSignIn({ onUrl: (url) => console.error(`Sign in at ${url}`) })
 * const { redirectUri, onRedirect } = signIn
 * const client = McpClient.connectHttp({ url, auth: { redirectUri, onRedirect, store: new FileTokenStore(folder) } })
 * await client.listTools()
 * ```
 *
 * @throws ConfigError for a bad option, or a port that is taken
 */
export async function interactiveSignIn(options: InteractiveSignInOptions): Promise<InteractiveSignIn> {
  checkOptions(options, checks)
  const { appName = 'mcp-troupe', port = 0, path = '/callback' } = options
  const loopback = await LoopbackRedirect.open({ port, path, appName })
  const closing = new AbortController()
  const onRedirect: OnRedirect = (url, { signal }) =>
    visit(url, loopback, { ...options, signal: AbortSignal.any([signal, closing.signal]) })
  const close = async () => {
    closing.abort()
    await loopback.close()
  }
  return { redirectUri: loopback.redirectUri, onRedirect, close, [Symbol.asyncDispose]: close }
}

async function visit(
  url: URL,
  loopback: LoopbackRedirect,
  options: InteractiveSignInOptions & { readonly signal: AbortSignal },
): Promise<URL> {
  const { onUrl, openUrl = openInBrowser, pasteRedirect, timeoutMs = 300_000 } = options
  const { clock = systemClock, signal } = options
  if (signal.aborted) throw new CancelledError({ method })
  checkPage(url)
  const state = url.searchParams.get('state') ?? undefined
  const over = new AbortController()
  try {
    return await new Promise<URL>((resolve, reject) => {
      loopback.next(state, over.signal).then(resolve, reject)
      onUrl(url)
      // Whoever has no browser here was told where to go.
      if (openUrl) openUrl(url.href).catch(() => {})
      if (pasteRedirect) paste(pasteRedirect, loopback.redirectUri, state, over.signal).then(resolve, reject)
      const late = () => reject(new TimeoutError({ method, timeoutMs }))
      const timer = timeoutMs > 0 ? clock.setTimeout(late, timeoutMs) : undefined
      const abort = () => reject(new CancelledError({ method }))
      signal.addEventListener('abort', abort)
      over.signal.addEventListener('abort', () => {
        clock.clearTimeout(timer)
        signal.removeEventListener('abort', abort)
      })
    })
  } finally {
    over.abort()
  }
}

/** What else a system opens by its scheme is nothing that a server may choose. */
function checkPage({ protocol }: URL): void {
  if (protocol === 'https:' || protocol === 'http:') return
  const reason = `The page to sign in at must be on the web (https:), not ${protocol}; whoever runs the server has to mend that`
  throw new AuthorizationError({ status: 0, reason })
}

async function paste(
  ask: NonNullable<InteractiveSignInOptions['pasteRedirect']>,
  redirectUri: string,
  state: string | undefined,
  signal: AbortSignal,
): Promise<URL> {
  let complaint: string | undefined
  for (let tries = 0; tries < maxPastes && !signal.aborted; tries++) {
    const pasted = readPasted(await ask({ signal, complaint }), redirectUri, state)
    if (pasted instanceof URL) return pasted
    complaint = pasted
  }
  throw new AuthorizationError({ status: 0, reason: `That was no address to go on with: ${complaint}` })
}

/** What was pasted is not repeated: it may hold a code. */
function readPasted(text: string, redirectUri: string, state: string | undefined): URL | string {
  const trimmed = text.trim()
  const url = URL.canParse(trimmed) ? new URL(trimmed) : undefined
  if (!url || url.origin + url.pathname !== redirectUri)
    return `it must begin with ${redirectUri}?, as the browser shows it at the end`
  if (isAnswerTo(url, state)) return url
  return 'it is of another sign-in, or not whole; copy all of it'
}

const checks: { readonly [option in keyof Required<InteractiveSignInOptions>]: Check } = {
  onUrl: hook,
  openUrl: (value) => (value === false ? undefined : hook(value)),
  pasteRedirect: hook,
  timeoutMs: milliseconds,
  appName: text,
  port: portNumber,
  path: (value) =>
    typeof value === 'string' && /^\/[\w./~-]*$/.test(value) ? undefined : 'must be a path, e.g. /callback',
  clock: object,
}

const method = 'The sign-in'
/** Enough for a person; too few for a loop. */
const maxPastes = 5
