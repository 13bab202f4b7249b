import type { Dispatcher } from 'undici'
import { HttpError, type McpError } from '../../errors.ts'
import { explainNetworkFailure, isReset } from './explain-network-failure.ts'
import { IdleWatch } from './idle-watch.ts'
import { redirectTarget } from './redirect-target.ts'
import type { ExchangeListener, HttpRequest, ResponseHeaders, Wire } from './wire.ts'

/** One HTTP request and its response, over redirects and a stale connection. Nothing is heard of it from within `start`. */
export class Exchange implements Dispatcher.DispatchHandler {
  readonly #wire: Wire
  readonly #request: HttpRequest
  readonly #listener: ExchangeListener
  readonly #watch: IdleWatch | undefined
  #path: string
  #headers: string[] = []
  #controller: Dispatcher.DispatchController | undefined
  #isOver = false
  #wasSent = false
  #hasHead = false
  #wasRepeated = false
  #redirects = 0
  #redirect: string | undefined
  #interimHeads = 0
  #redirectBytes = 0

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
    if (this.#isOver) return controller.abort(aborted)
    this.#wasSent = true
    this.#watch?.feed()
    this.#wire.reading.add(this)
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: ResponseHeaders): void {
    if (this.#isOver) return
    if (status < 200) return this.#interim(status)
    this.#watch?.feed()
    this.#hasHead = true
    if (status >= 300 && status < 400) this.#redirected(status, headers)
    else this.#listener.head(status, headers)
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#isOver) return
    this.#watch?.feed()
    if (this.#redirect === undefined) return this.#listener.data(chunk)
    this.#redirectBytes += chunk.length
    if (this.#redirectBytes > maxRedirectBytes)
      this.#fail(this.#misled('redirects with an endless page'), true)
  }

  onResponseEnd(): void {
    if (this.#isOver) return
    if (this.#redirect !== undefined) return this.#follow(this.#redirect)
    this.#over()
    this.#listener.end()
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return
    const mayRepeat = !this.#wasSent || this.#request.isRepeatable
    if (mayRepeat && !this.#hasHead && !this.#wasRepeated && isReset(error)) {
      this.#wasRepeated = true
      // Not from within: undici is just about to clear the connection away.
      return queueMicrotask(() => this.#dispatch())
    }
    const { endpoint, lanes, connectTimeoutMs } = this.#wire
    const facts = { address: endpoint.address, proxy: lanes.proxy, connectTimeoutMs, hasHead: this.#hasHead }
    this.#fail(explainNetworkFailure(error, facts), !this.#wasSent)
  }

  async #prepare(): Promise<void> {
    try {
      const headers = this.#wire.headers.before(this.#request.headers)
      this.#headers = headers instanceof Promise ? await headers : headers
    } catch (error) {
      return this.#fail(error as McpError, true)
    }
    this.#dispatch()
  }

  #dispatch(): void {
    if (this.#isOver) return
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
    this.#redirect = undefined
    this.#redirectBytes = 0
    this.#hasHead = false
    this.#path = path
    this.#dispatch()
  }

  #silent(): void {
    // Nobody was listening.
    if (this.#wire.reading.isPaused) return this.#watch?.feed()
    const reason = `${this.#wire.endpoint.address} was silent for ${this.#request.idleTimeoutMs} ms (idleTimeoutMs)`
    this.#fail(new HttpError({ status: 0, reason }), false)
  }

  #over(): void {
    this.#isOver = true
    this.#watch?.stop()
    this.#wire.reading.delete(this)
  }

  #misled(what: string, status = 0): HttpError {
    return new HttpError({ status, reason: `${this.#wire.endpoint.address} ${what}` })
  }

  #fail(failure: McpError, wasRefused: boolean): void {
    if (this.#isOver) return
    this.abort()
    this.#listener.failed(failure, wasRefused)
  }
}

const maxRedirects = 5
/** A page for people comes with many. */
const maxRedirectBytes = 1024 * 1024
/** 102 and 103, before the answer. */
const maxInterimHeads = 100
/** One for all: an error of its own would cost its stack. */
const aborted = new Error('The exchange was ended')
/** Silence is watched by our own clock. */
const noTimeouts = { headersTimeout: 0, bodyTimeout: 0 }
