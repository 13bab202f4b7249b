/**
 * Notes pushed from one side and read as an async iterable on the other. Holds at most `limit`; past it the oldest are dropped
 * and counted, so a slow reader costs bounded memory.
 */
export class NoteQueue<Note> implements AsyncIterableIterator<Note> {
  readonly #limit: number
  readonly #release: () => void
  readonly #notes: Note[] = []
  readonly #readers: { resolve: (result: IteratorResult<Note>) => void; reject: (error: Error) => void }[] =
    []
  #end: { readonly error: Error | undefined } | undefined
  dropped = 0

  /** `release` is called once, when the reader leaves or the queue ends. */
  constructor(release: () => void, limit = 10_000) {
    this.#release = release
    this.#limit = limit
  }

  push(note: Note): void {
    if (this.#end) return
    const reader = this.#readers.shift()
    if (reader) return reader.resolve({ done: false, value: note })
    this.#notes.push(note)
    if (this.#notes.length <= this.#limit) return
    this.#notes.shift()
    this.dropped += 1
  }

  /** What was pushed is still read; then the iteration ends, or throws `error`. */
  end(error?: Error): void {
    if (this.#end) return
    // One reader is told of the error: who waits for it, or who comes next.
    this.#end = { error: this.#readers.length > 0 ? undefined : error }
    for (const { resolve, reject } of this.#readers.splice(0)) {
      if (error) reject(error)
      else resolve({ done: true, value: undefined })
    }
    this.#release()
  }

  next(): Promise<IteratorResult<Note>> {
    const note = this.#notes.shift()
    if (note !== undefined) return Promise.resolve({ done: false, value: note })
    if (this.#end?.error) {
      const { error } = this.#end
      this.#end = { error: undefined }
      return Promise.reject(error)
    }
    if (this.#end) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve, reject) => this.#readers.push({ resolve, reject }))
  }

  return(): Promise<IteratorResult<Note>> {
    this.#notes.length = 0
    this.end()
    return Promise.resolve({ done: true, value: undefined })
  }

  [Symbol.asyncIterator](): this {
    return this
  }
}
