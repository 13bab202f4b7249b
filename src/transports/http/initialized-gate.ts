import type { Clock } from '../../clock.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Outbound } from '../transport.ts'

/** Holds messages back, in order, until it is opened or the time is up. Open at first. */
export class InitializedGate {
  readonly #clock: Clock
  readonly #pass: (message: Outbound) => void
  #held: Outbound[] | undefined
  #timer: unknown

  /** `pass` gets every message, now or later. */
  constructor(clock: Clock, pass: (message: Outbound) => void) {
    this.#clock = clock
    this.#pass = pass
  }

  send(message: Outbound): void {
    if (this.#held) this.#held.push(message)
    else this.#pass(message)
  }

  /** Closes it, or, when it is closed, gives it that much time from now. */
  close(maxMs: number): void {
    this.#held ??= []
    this.#clock.clearTimeout(this.#timer)
    this.#timer = this.#clock.setTimeout(() => this.open(), maxMs)
  }

  get isClosed(): boolean {
    return this.#held !== undefined
  }

  open(): void {
    for (const message of this.empty()) this.#pass(message)
  }

  /** Takes back a request that waits. */
  abandon(id: RequestId): void {
    this.#held = this.#held?.filter((message) => message.kind !== 'request' || message.id !== id)
  }

  /** Opens it and takes out what waits, which will not pass. */
  empty(): readonly Outbound[] {
    const held = this.#held ?? []
    this.#clock.clearTimeout(this.#timer)
    this.#held = undefined
    return held
  }
}
