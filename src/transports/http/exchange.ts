import type { Dispatcher } from 'undici'
import { HttpError, type McpError } from '../../errors.ts'
import type { Want } from './authorization.ts'
import type { Credentials } from './credentials.ts'
import { explainNetworkFailure, isReset } from './explain-network-failure.ts'
import { IdleWatch } from './idle-watch.ts'
import { redirectTarget } from './redirect-target.ts'
import type { ExchangeListener, HttpRequest, ResponseHeaders, Wire } from './wire.ts'

type Phase =
  // `unsent` too when what was sent was not looked at.
  'unsent' | 'sent' | 'answering' | 'over'

/**
 * One HTTP request and its response, over redirects, a stale connection and, where there is somebody to ask, missing credentials: a
 * request that was refused for those was not looked at. Nothing is heard of it from within `start`.
 */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #wire: Wire
  readonly #request: HttpRequest
  readonly #listener: ExchangeListener
  readonly #watch: IdleWatch | undefined
  #path: string
  #headers: string[] = []
  #controller: Dispatcher.DispatchController | undefined
  #phase: Phase = 'unsent'
  #repeats = 0
  #redirects = 0
  #redirect: string | undefined
  #interimHeads = 0
  #droppedBytes = 0
  #shown: Credentials | undefined
  /** What a response wants that is not for the listener, and its headers. */
  #wanted: { readonly want: Want; readonly headers: ResponseHeaders } | undefined
  readonly #wants: Want[] = []

  constructor(wire: Wire, request: HttpRequest, listener: ExchangeListener) {
    this.#wire = wire
    this.#request = request
    this.#listener = listener
    this.#path = request.path
    if (request.idleTimeoutMs > 0)
      this.#watch = new IdleWatch(wire.clock, request.idleTimeoutMs, () => this.#silent())
  }

  start(): this {
    queueMicrotask(() => this.#prepare())
    return this
  }

  /** Ends it at once, and whoever waits for it hears nothing any more. */
  abort(): void {
    this.#over()
    this.#controller?.abort(aborted)
  }

  pause(): void {
    this.#controller?.pause()
  }

  resume(): void {
    this.#watch?.feed()
    this.#controller?.resume()
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#phase === 'over') return controller.abort(aborted)
    this.#phase = 'sent'
    this.#watch?.feed()
    this.#wire.reading.add(this)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (this.#phase === 'over') return
    if (status < 200) return this.#interim(status)
    this.#watch?.feed()
    this.#phase = 'answering'
    if (status >= 300 && status < 400) return this.#redirected(status, headers)
    const want = this.#wire.authorization?.wantOf(status, headers, this.#shown)
    if (want && this.#maySatisfy(want)) this.#wanted = { want, headers }
    else this.#listener.head(status, headers)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#phase === 'over') return
    this.#watch?.feed()
    if (this.#redirect === undefined && !this.#wanted) return this.#listener.data(chunk)
    this.#droppedBytes += chunk.length
    if (this.#droppedBytes <= maxDroppedBytes) return
    const how = this.#wanted ? 'refuses' : 'redirects'
    this.#fail(this.#misled(`${how} with an endless page`), true)
  }

  onResponseEnd(): void {
    if (this.#phase === 'over') return
    if (this.#redirect !== undefined) return this.#follow(this.#redirect)
    if (this.#wanted) return void this.#satisfy(this.#wanted)
    this.#over()
    this.#listener.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#phase === 'over') return
    // Its head said all that matters.
    if (this.#wanted) return void this.#satisfy(this.#wanted)
    const wasRefused = this.#phase === 'unsent'
    const hasHead = this.#phase === 'answering'
    const mayRepeat = wasRefused || (this.#request.isRepeatable && !hasHead)
    if (mayRepeat && this.#repeats < maxRepeats && isReset(error)) {
      this.#repeats += 1
      // Not from within: undici is just about to clear the connection away.
      return queueMicrotask(() => this.#prepare())
    }
    const { endpoint, lanes, connectTimeoutMs } = this.#wire
    const facts = { address: endpoint.address, proxy: lanes.proxy, connectTimeoutMs, hasHead }
    this.#fail(explainNetworkFailure(error, facts), wasRefused)
  }

  async #prepare(): Promise<void> {
    const { headers, authorization } = this.#wire
    try {
      const shown = authorization?.before(this.#request.method, this.#path)
      this.#shown = shown instanceof Promise ? await shown : shown
      const all = headers.before(this.#request.headers, this.#shown?.headers)
      this.#headers = all instanceof Promise ? await all : all
    } catch (error) {
      return this.#fail(error as McpError, true)
    }
    this.#dispatch()
  }

  #dispatch(): void {
    if (this.#phase === 'over') return
    const { endpoint, lanes } = this.#wire
    const { method, body, lane } = this.#request
    const { origin } = endpoint
    const request = { origin, path: this.#path, method, body, headers: this.#headers, ...noTimeouts }
    lanes[lane].dispatch(request, this)
  }

  #redirected(status: number, headers: ResponseHeaders): void {
    const target = redirectTarget(status, headers.location, this.#wire.endpoint, this.#path)
    if (target instanceof HttpError) return this.#fail(target, status !== 303)
    if (++this.#redirects > maxRedirects) {
      return this.#fail(this.#misled(`redirected ${maxRedirects} times; check the URL`, status), true)
    }
    this.#redirect = target
  }

  #interim(status: number): void {
    this.#interimHeads += 1
    if (this.#interimHeads > maxInterimHeads)
      this.#fail(this.#misled(`answers with status ${status} without end`, status), false)
  }

  #follow(path: string): void {
    this.#path = path
    this.#again()
  }

  /** A server that is never content is believed in the end. */
  #maySatisfy(want: Want): boolean {
    // Nobody is asked to sign in for the sake of a farewell.
    if (this.#shown === undefined || (this.#request.method === 'DELETE' && want !== 'nonce')) return false
    return this.#wants.filter((one) => one === want).length < mostAttempts[want]
  }

  async #satisfy({
    want,
    headers,
  }: {
    readonly want: Want
    readonly headers: ResponseHeaders
  }): Promise<void> {
    this.#wants.push(want)
    // Nobody is silent while somebody else is asked.
    this.#watch?.stop()
    try {
      if (this.#shown) await this.#wire.authorization?.refused(want, headers, this.#shown)
    } catch (error) {
      return this.#fail(error as McpError, true)
    }
    this.#again()
  }

  #again(): void {
    if (this.#phase === 'over') return
    this.#redirect = undefined
    this.#wanted = undefined
    this.#droppedBytes = 0
    // What was sent was not looked at.
    this.#phase = 'unsent'
    void this.#prepare()
  }

  #silent(): void {
    // Nobody was listening.
    if (this.#wire.reading.isPaused) return this.#watch?.feed()
    const reason = `${this.#wire.endpoint.address} was silent for ${this.#request.idleTimeoutMs} ms (idleTimeoutMs)`
    this.#fail(new HttpError({ status: 0, reason }), false)
  }

  #over(): void {
    this.#phase = 'over'
    this.#watch?.stop()
    this.#wire.reading.delete(this)
  }

  #misled(what: string, status = 0): HttpError {
    return new HttpError({ status, reason: `${this.#wire.endpoint.address} ${what}` })
  }

  #fail(failure: McpError, wasRefused: boolean): void {
    if (this.#phase === 'over') return
    this.abort()
    this.#listener.failed(failure, wasRefused)
  }
}

/** A connection may have been closed just before it was used. */
const maxRepeats = 1
const maxRedirects = 5
/** A page for people comes with many. */
const maxDroppedBytes = 1024 * 1024
/** Scopes may be missing one after the other. */
const mostAttempts: { readonly [want in Want]: number } = { credentials: 1, nonce: 1, scope: 2 }
/** 102 and 103, before the answer. */
const maxInterimHeads = 100
/** One for all: an error of its own would cost its stack. */
const aborted = new Error('The exchange was ended')
/** Silence is watched by our own clock. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
