import type { Readable } from 'node:stream'

/** Stops and starts the reading of a stream, until it is released for good. */
export class Valve {
  readonly #stream: Readable
  #state: 'ours' | 'released' = 'ours'

  constructor(stream: Readable) {
    this.#stream = stream
  }

  pause(): void {
    if (this.#state === 'ours') this.#stream.pause()
  }

  resume(): void {
    if (this.#state === 'ours') this.#stream.resume()
  }

  /** From now on it flows to its end, whoever asks for a pause. */
  release(): void {
    this.#state = 'released'
    this.#stream.resume()
  }
}
