/**
 * How long to wait before a stream is opened again: what its server asks for, at least 100 ms, and longer each time in a row that
 * it could not be reached, or that it was a short one without a message.
 */
export class ReconnectDelay {
  readonly #maxEmpty: number
  #failures = 0
  #empty = 0

  /** `isPatient`: empty streams are how the server lets one wait for an answer, so the waits for them do not grow. */
  constructor(isPatient: boolean) {
    this.#maxEmpty = isPatient ? 1 : Number.POSITIVE_INFINITY
  }

  /** In a row. */
  get failures(): number {
    return this.#failures
  }

  failed(): void {
    this.#failures += 1
  }

  opened(): void {
    this.#failures = 0
  }

  ended(hadMessage: boolean, livedMs: number): void {
    this.#empty = hadMessage || livedMs >= longLifeMs ? 0 : Math.min(this.#empty + 1, this.#maxEmpty)
  }

  next(retryMs: number): number {
    const steps = this.#failures + this.#empty
    const pauseMs = Math.max(retryMs, shortestMs)
    return Math.max(pauseMs, Math.min(pauseMs * 2 ** (steps - 1), longestMs))
  }
}

/** Where the server asks for none, or nearly none: ten requests a second are as many as a stream is worth. */
const shortestMs = 100
const longestMs = 30_000
/** A gateway that cuts idle streams does it after longer than this. */
const longLifeMs = 5_000
