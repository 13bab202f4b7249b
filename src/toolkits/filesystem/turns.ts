/** One after the other, in the order they came. */
export class Turns {
  #last: Promise<unknown> = Promise.resolve()

  take<Value>(run: () => Promise<Value>): Promise<Value> {
    const turn = this.#last.then(run)
    this.#last = turn.catch(() => {})
    return turn
  }
}
