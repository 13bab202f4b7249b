import { acknowledgeFromChars, windowChars } from './credit.ts'

export interface IntakeParts<Parcel> {
  readonly deliver: (parcel: Parcel) => void
  /** What a parcel costs its sender. */
  readonly charsOf: (parcel: Parcel) => number
  readonly acknowledge: (chars: number) => void
}

/**
 * Takes what comes from another thread. A port hands over everything it holds in one turn; this delivers a window of it a turn, so
 * that timers and sockets have theirs, and says what it has taken, so that more is sent.
 */
export class Intake<Parcel> {
  readonly #parts: IntakeParts<Parcel>
  #takenChars = 0
  #waiting: Parcel[] = []
  #turn: NodeJS.Immediate | undefined

  constructor(parts: IntakeParts<Parcel>) {
    this.#parts = parts
  }

  take(parcel: Parcel): void {
    if (this.#takenChars < windowChars && this.#waiting.length === 0) this.#deliver(parcel)
    else this.#waiting.push(parcel)
  }

  /** Nothing more will come: whoever waits for the end has had everything before it. */
  end(): void {
    clearImmediate(this.#turn)
    const waiting = this.#waiting
    this.#waiting = []
    for (const parcel of waiting) this.#parts.deliver(parcel)
  }

  #deliver(parcel: Parcel): void {
    this.#takenChars += this.#parts.charsOf(parcel)
    if (this.#takenChars >= acknowledgeFromChars) this.#turn ??= setImmediate(() => this.#nextTurn())
    this.#parts.deliver(parcel)
  }

  #nextTurn(): void {
    this.#turn = undefined
    this.#parts.acknowledge(this.#takenChars)
    this.#takenChars = 0
    const waiting = this.#waiting
    this.#waiting = []
    for (const parcel of waiting) this.take(parcel)
  }
}
