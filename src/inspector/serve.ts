import { randomBytes } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { type Check, checkOptions, portNumber, wholeNumber } from '../check-options.ts'
import type { InspectionObserver } from '../client/inspection/inspect.ts'
import { listenOn } from '../listen-on.ts'
import { admit } from './admit.ts'
import { type Assets, loadAssets } from './assets.ts'
import { Audience } from './audience.ts'
import { Chronicle } from './chronicle.ts'

export interface InspectorOptions {
  /** Default 0: any free one. */
  readonly port?: number
  /** How much may wait for a page that reads slowly, before it misses something; default 1 MiB. */
  readonly maxBacklogBytes?: number
}

/** A running inspector. Close it, or `await using` it: it keeps the process alive. */
export interface Inspector extends AsyncDisposable {
  /** The page, with the token without which it shows nothing. Whoever has it sees what the servers are told and say. */
  readonly url: string
  /** Give it as `inspect` to clients, a registry, or any XState actor: any number of them. */
  readonly observer: InspectionObserver
  /** Ends the page and leaves nothing open. Idempotent. */
  close(): Promise<void>
}

/**
 * Serves a page, on this machine only (127.0.0.1), that shows every actor it observes: its statechart with the live state lit, its
 * events, the messages on its wire (secrets masked, cut to a size), and when each server was up or restarted.
 *
 * @throws ConfigError for a bad option, or a port that is taken.
 * @example
 * await using inspector = await serveInspector({ port: 4777 })
 * const registry = new Registry({ inspect: inspector.observer })
 * console.log(inspector.url)
 */
export async function serveInspector(options: InspectorOptions = {}): Promise<Inspector> {
  checkOptions(options, checks)
  const { port: wanted = 0, maxBacklogBytes = 2 ** 20 } = options
  const assets = await loadAssets()
  const audience = new Audience(maxBacklogBytes)
  const chronicle = new Chronicle(audience, assets.machines, (frame) => audience.show(frame))
  const token = randomBytes(24).toString('base64url')
  const server = createServer({ maxHeaderSize: 16_384 })
  const port = await listenOn(server, wanted, '127.0.0.1')
  server.on('request', (request, response) =>
    answer(request, response, { port, token, assets, audience, chronicle }),
  )
  const close = async () => {
    audience.end()
    server.closeAllConnections()
    if (server.listening) await new Promise((resolve) => server.close(resolve))
  }
  return {
    url: `http://127.0.0.1:${port}/${token}/`,
    observer: chronicle,
    close,
    [Symbol.asyncDispose]: close,
  }
}

interface House {
  readonly port: number
  readonly token: string
  readonly assets: Assets
  readonly audience: Audience
  readonly chronicle: Chronicle
}

function answer(request: IncomingMessage, response: ServerResponse, house: House): void {
  for (const [name, value] of Object.entries(securityHeaders)) response.setHeader(name, value)
  const admission = admit(request, house.port, house.token)
  if (admission.kind === 'moved') return void response.writeHead(308, { Location: admission.location }).end()
  if (admission.kind === 'refused') return refuse(response, admission.status, admission.reason)
  if (admission.path === 'events') return stream(request, response, house)
  const asset = house.assets.files.get(admission.path)
  if (!asset) return refuse(response, 404, 'There is no such page')
  response.writeHead(200, { 'Content-Type': asset.type, 'Content-Length': asset.body.length })
  response.end(asset.body)
}

function stream(request: IncomingMessage, response: ServerResponse, { audience, chronicle }: House): void {
  if (audience.isFull) return refuse(response, 503, 'Too many pages look on already: close one')
  response.writeHead(200, { 'Content-Type': 'text/event-stream' })
  if (request.method === 'HEAD') return void response.end()
  audience.seat(response, () => chronicle.picture())
}

function refuse(response: ServerResponse, status: number, reason: string): void {
  const allow = status === 405 ? { Allow: 'GET, HEAD' } : {}
  response.writeHead(status, { 'Content-Type': 'text/plain; charset=utf-8', ...allow }).end(`${reason}\n`)
}

const checks: { readonly [option in keyof Required<InspectorOptions>]: Check } = {
  port: portNumber,
  maxBacklogBytes: wholeNumber,
}

const securityHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': 'no-store',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const
