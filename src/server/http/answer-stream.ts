import { systemClock } from '../../clock.ts'
import type { HttpHeaders, HttpResponse } from './wire.ts'

type State = 'undecided' | 'streaming' | 'over'

/**
 * The answer to one request, as JSON or as a stream of events: which of them is decided by what comes first, the answer or something
 * before it. A request that stays quiet costs no stream.
 */
export class AnswerStream {
  readonly #response: HttpResponse
  readonly takesEvents: boolean
  readonly #keepAliveMs: number
  #state: State = 'undecided'
  #timer: unknown

  constructor(response: HttpResponse, takesEvents: boolean, keepAliveMs: number) {
    this.#response = response
    this.takesEvents = takesEvents
    this.#keepAliveMs = keepAliveMs
    if (takesEvents) this.#wait()
  }

  /** Something that comes before the answer; dropped where the client takes no events, or does not read them. */
  notify(text: string): void {
    if (!this.takesEvents || this.#response.isCrowded) return
    this.send(text)
  }

  /** The same, but never dropped for want of room. */
  send(text: string): void {
    if (this.#state === 'over') return
    this.#begin()
    this.#response.write(`data: ${text}\n\n`)
  }

  /** The last thing there is. */
  answer(status: number, text: string, headers: HttpHeaders = {}): void {
    if (this.#state === 'over') return
    const isStreaming = this.#state === 'streaming'
    this.leave()
    if (!isStreaming) return this.#response.answer(status, { ...json, ...headers }, text)
    this.#response.write(`data: ${text}\n\n`)
    this.#response.end()
  }

  /** Ends without an answer: none is due. */
  cut(): void {
    if (this.#state === 'over') return
    this.#begin()
    this.leave()
    this.#response.end()
  }

  /** The same, of what was heard and never to be answered. */
  accept(): void {
    if (this.#state !== 'undecided') return this.cut()
    this.leave()
    this.#response.answer(202, {})
  }

  /** Nobody reads any more. */
  leave(): void {
    this.#state = 'over'
    systemClock.clearTimeout(this.#timer)
  }

  #begin(): void {
    if (this.#state !== 'undecided') return
    this.#state = 'streaming'
    this.#response.begin(200, events)
  }

  #wait(): void {
    this.#timer = systemClock.setTimeout(() => {
      this.#begin()
      this.#response.write(': still here\n\n')
      this.#wait()
    }, this.#keepAliveMs)
  }
}

export const json: HttpHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }
export const events: HttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
