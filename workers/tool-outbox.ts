import type { MessagePort } from 'node:worker_threads'
import type { Outcome, ToldFrame, ToolFrame } from './tool-frames.ts'

/** Characters that may be on their way and not yet heard. */
const windowChars = 512 * 1024

/**
 * The thread's end of one call. While the host is far behind the thread stands still: a loop that tells of each of its steps costs
 * bounded memory. What is told after the end is told to nobody.
 */
export class ToolOutbox {
  readonly #port: MessagePort
  readonly #heard: Int32Array
  #state: 'open' | 'over' = 'open'
  #sentChars = 0

  /** `heard`: how many characters the host has heard, as a shared number that wraps around. */
  constructor(port: MessagePort, heard: Int32Array) {
    this.#port = port
    this.#heard = heard
    this.#post({ kind: 'began' })
  }

  tell(frame: ToldFrame): void {
    if (this.#state === 'over') return
    this.#waitForRoom()
    this.#sentChars += frame.chars
    this.#post(frame)
  }

  end(outcome: Outcome): void {
    this.#state = 'over'
    this.#post(outcome)
  }

  #waitForRoom(): void {
    for (;;) {
      const heard = Atomics.load(this.#heard, 0)
      if (((this.#sentChars - heard) | 0) <= windowChars) return
      Atomics.wait(this.#heard, 0, heard)
    }
  }

  #post(frame: ToolFrame): void {
    this.#port.postMessage(frame)
  }
}
