/** Whether somebody gave a request up. The signal is made when a handler looks: most never do. */
export class Cancellation {
  #state: { readonly kind: 'open' } | { readonly kind: 'aborted'; readonly reason: unknown } = {
    kind: 'open',
  }
  #controller: AbortController | undefined

  get isAborted(): boolean {
    return this.#state.kind === 'aborted'
  }

  get signal(): AbortSignal {
    if (!this.#controller) {
      this.#controller = new AbortController()
      if (this.#state.kind === 'aborted') this.#controller.abort(this.#state.reason)
    }
    return this.#controller.signal
  }

  abort(reason?: unknown): void {
    if (this.isAborted) return
    this.#state = { kind: 'aborted', reason }
    this.#controller?.abort(reason)
  }
}
