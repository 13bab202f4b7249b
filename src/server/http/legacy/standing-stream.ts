import { systemClock } from '../../../clock.ts'
import { events } from '../answer-stream.ts'
import type { HttpResponse } from '../wire.ts'

/** The stream on which a session's client is told what belongs to none of its requests. */
export class StandingStream {
  readonly #response: HttpResponse
  readonly #keepAliveMs: number
  #timer: unknown

  constructor(response: HttpResponse, keepAliveMs: number) {
    this.#response = response
    this.#keepAliveMs = keepAliveMs
    response.begin(200, events)
    this.#wait()
  }

  notify(text: string): void {
    if (!this.#response.isCrowded) this.#response.write(`data: ${text}\n\n`)
  }

  end(): void {
    this.leave()
    this.#response.end()
  }

  /** Nobody reads any more. */
  leave(): void {
    systemClock.clearTimeout(this.#timer)
  }

  #wait(): void {
    this.#timer = systemClock.setTimeout(() => {
      this.#response.write(': still here\n\n')
      this.#wait()
    }, this.#keepAliveMs)
  }
}
