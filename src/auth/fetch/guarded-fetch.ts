import { checkOptions, flag, hook, milliseconds, wholeNumber } from '../../check-options.ts'
import { HttpError, McpError } from '../../errors.ts'
import { BodyBuffer } from '../../transports/http/body-buffer.ts'
import { explainNetworkFailure } from '../../transports/http/explain-network-failure.ts'
import { proxyOf } from '../../transports/http/proxy-of.ts'
import type { Dispatcher } from '../../transports/http/undici.ts'
import { checkAddress, checkTarget, refusedTarget, shownTarget, type TargetRules } from './check-target.ts'
import { type Lookup, lookupInSystem } from './lookup.ts'
import { nextRequest, type Outgoing } from './next-request.ts'

export interface GuardedFetchOptions {
  /** Whether private networks may be asked, and names that mean this machine; default false. Link-local addresses never may. */
  readonly allowPrivateNetwork?: boolean
  /** Whether this machine may be asked, named as such (`localhost`, `127.0.0.1`, `[::1]`), also over http; default true. */
  readonly allowLoopback?: boolean
  /** For all of it, with redirects and body; milliseconds, default 10 000. */
  readonly timeoutMs?: number
  /** Of a body; default 1 MiB. */
  readonly maxBytes?: number
  /** How a host's addresses are found; default as the system does. */
  readonly lookup?: Lookup
}

export type GuardedFetch = (url: string | URL, init?: RequestInit) => Promise<Response>

/**
 * A `fetch` for URLs that a stranger may have chosen: https only, but for this machine itself; no private, link-local or otherwise special
 * address, whatever name it hides behind; the connection goes to the very address that was checked. Redirects are followed, at most five,
 * each checked anew, never from https to http, and without credentials to another origin (`redirect: 'manual'` returns them). The body
 * is read before it resolves. Proxies of the environment are obeyed; through one, only literal addresses and names that can be looked up
 * here are checked.
 *
 * Rejects with an AuthorizationError for what is refused, an HttpError (`status` 0) for what cannot be reached or takes too long, and the
 * signal's reason when it aborts.
 */
export function createGuardedFetch(options: GuardedFetchOptions = {}): GuardedFetch {
  checkOptions(options, checks)
  const { allowPrivateNetwork = false, allowLoopback = true, timeoutMs = 10_000 } = options
  const { maxBytes = 1024 * 1024, lookup = lookupInSystem } = options
  const rules: TargetRules = { allowPrivateNetwork, allowLoopback }
  const dispatchers = new Map<boolean, Dispatcher>()

  const dispatcherFor = async ({ url }: Outgoing, signal: AbortSignal): Promise<Dispatcher> => {
    const isProxied = proxyOf(url) !== undefined
    if (isProxied) await checkName(url.hostname, lookup, rules, signal)
    // The library for it is most of what this costs to load.
    const { guardedDispatcher } = await import('./guarded-dispatcher.ts')
    const dispatcher =
      dispatchers.get(isProxied) ?? guardedDispatcher(rules, lookup, connectTimeoutMs, isProxied)
    dispatchers.set(isProxied, dispatcher)
    return dispatcher
  }

  const ask = async (request: Outgoing, signal: AbortSignal): Promise<Response> => {
    const { url, method, headers, body } = request
    const dispatcher = await dispatcherFor(request, signal)
    const answer = await dispatcher.request({
      origin: url.origin,
      path: url.pathname + url.search,
      method: method as Dispatcher.HttpMethod,
      headers: Object.fromEntries(headers),
      body,
      signal,
    })
    return readAnswer(answer, url, maxBytes)
  }

  return async (target, init = {}) => {
    const late = AbortSignal.timeout(Math.min(timeoutMs, longestTimerMs))
    const signal = init.signal ? AbortSignal.any([late, init.signal]) : late
    let request = await outgoing(checkTarget(target, rules), init)
    try {
      for (let redirects = 0; redirects <= maxRedirects; redirects++) {
        const response = await ask(request, signal)
        const next = init.redirect === 'manual' ? undefined : nextRequest(request, response, rules)
        if (!next) return response
        request = next
      }
      throw refusedTarget(`${shownTarget(request.url)} redirected more than ${maxRedirects} times`)
    } catch (error) {
      init.signal?.throwIfAborted()
      throw explained(error, request.url, late.aborted ? timeoutMs : undefined)
    }
  }
}

/** `Request` knows what type a body has. */
async function outgoing(url: URL, { headers, method, body }: RequestInit): Promise<Outgoing> {
  const request = new Request(url, { headers, method, body })
  const sent = new Headers(request.headers)
  // Bodies are small, and a small one may unpack to anything.
  sent.set('accept-encoding', 'identity')
  const bytes = request.body ? new Uint8Array(await request.arrayBuffer()) : undefined
  return { url, method: request.method, headers: sent, body: bytes }
}

async function readAnswer(
  { statusCode, headers, body }: Dispatcher.ResponseData,
  url: URL,
  maxBytes: number,
): Promise<Response> {
  const buffer = new BodyBuffer(maxBytes)
  for await (const chunk of body)
    if (!buffer.push(chunk)) {
      const reason = `${shownTarget(url)} answers with more than ${maxBytes} bytes (maxBytes)`
      throw new HttpError({ status: statusCode, reason })
    }
  const text = nullBodies.has(statusCode) ? null : buffer.text()
  const fields = Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one) => [name, one] as [string, string]),
  )
  const response = new Response(text, { status: statusCode, headers: fields })
  return Object.defineProperty(response, 'url', { value: url.href })
}

/** Behind a proxy there may be names that only the proxy can look up. */
async function checkName(
  hostname: string,
  lookup: Lookup,
  rules: TargetRules,
  signal: AbortSignal,
): Promise<void> {
  const addresses = await new Promise<Awaited<ReturnType<Lookup>>>((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    lookup(hostname).then(resolve, () => resolve([]))
  })
  for (const { address } of addresses) checkAddress(hostname, address, rules)
}

function explained(error: unknown, url: URL, passedMs: number | undefined): unknown {
  if (error instanceof McpError) return error
  if (passedMs !== undefined) {
    const reason = `${shownTarget(url)} did not answer within ${passedMs} ms (timeoutMs)`
    return new HttpError({ status: 0, reason }, { cause: error })
  }
  if (!(error instanceof Error)) return error
  const address = url.host
  return explainNetworkFailure(error, { address, proxy: proxyOf(url), connectTimeoutMs, hasHead: false })
}

const checks = {
  allowPrivateNetwork: flag,
  allowLoopback: flag,
  timeoutMs: milliseconds,
  maxBytes: wholeNumber,
  lookup: hook,
}
const connectTimeoutMs = 10_000
const maxRedirects = 5
/** Node fires longer timers at once. */
const longestTimerMs = 2 ** 31 - 1
/** Statuses whose responses have no body at all. */
const nullBodies = new Set([204, 205, 304])
