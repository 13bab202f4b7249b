import { Cancellation } from '../dispatch/cancellation.ts'

/** The requests an endpoint works on: so many and no more, each until it is answered or given up. */
export class UnderWay {
  readonly #most: number
  /** With what brings each to its end, where it would last. */
  readonly #open = new Map<Cancellation, (() => void) | undefined>()
  #onSettled: (() => void) | undefined

  constructor(most: number) {
    this.#most = most
  }

  get isFull(): boolean {
    return this.#open.size >= this.#most
  }

  begin(): Cancellation {
    const cancellation = new Cancellation()
    this.#open.set(cancellation, undefined)
    return cancellation
  }

  onStop(cancellation: Cancellation, listener: () => void): void {
    if (this.#open.has(cancellation)) this.#open.set(cancellation, listener)
  }

  end(cancellation: Cancellation): void {
    this.#open.delete(cancellation)
    if (this.#open.size === 0) this.#onSettled?.()
  }

  /** A handler need not obey: nobody waits for it any more. */
  giveUp(cancellation: Cancellation, reason: string): void {
    // What has been answered may go on as a task.
    if (!this.#open.has(cancellation)) return
    cancellation.abort(new Error(reason))
    this.end(cancellation)
  }

  /** What lasts comes to its end. */
  stop(): void {
    for (const stop of [...this.#open.values()]) stop?.()
  }

  /** Resolves when there is nothing left that anybody waits for. */
  async settled(): Promise<void> {
    if (this.#open.size > 0)
      await new Promise<void>((resolve) => {
        this.#onSettled = resolve
      })
  }

  abort(): void {
    for (const cancellation of [...this.#open.keys()]) this.giveUp(cancellation, 'the server stops')
  }
}
