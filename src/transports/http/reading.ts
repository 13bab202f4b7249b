/** Something that is being read and can wait. */
export interface Readable {
  pause(): void
  resume(): void
}

/** Everything that is read on one wire: it waits and goes on together, also what begins meanwhile. */
export class Reading {
  readonly #open = new Set<Readable>()
  #state: 'flowing' | 'paused' = 'flowing'

  get isPaused(): boolean {
    return this.#state === 'paused'
  }

  add(readable: Readable): void {
    this.#open.add(readable)
    if (this.#state === 'paused') readable.pause()
  }

  delete(readable: Readable): void {
    this.#open.delete(readable)
  }

  pause(): void {
    this.#state = 'paused'
    for (const readable of this.#open) readable.pause()
  }

  resume(): void {
    this.#state = 'flowing'
    for (const readable of this.#open) readable.resume()
  }
}
