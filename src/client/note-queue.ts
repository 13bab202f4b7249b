import { charsOf } from './chars-of.ts'

export interface NoteQueueLimits {
  /** Default 10 000. */
  readonly maxNotes?: number
  /** All that wait together, as text; the newest is kept whatever its size. Default 16 Mi. */
  readonly maxChars?: number
}

/**
 * Notes pushed from one side and read as an async iterable on the other. Past its limits the oldest are dropped, so a slow reader
 * costs bounded memory.
 */
export class NoteQueue<Note> implements AsyncIterableIterator<Note> {
  readonly #maxNotes: number
  readonly #maxChars: number
  readonly #release: () => void
  readonly #notes: { readonly note: Note; readonly chars: number }[] = []
  readonly #readers: { resolve: (result: IteratorResult<Note>) => void; reject: (error: Error) => void }[] =
    []
  #end: { readonly error: Error | undefined } | undefined
  #chars = 0

  /** `release` is called once, when the reader leaves or the queue ends. */
  constructor(release: () => void, { maxNotes = 10_000, maxChars = 16 * 1024 * 1024 }: NoteQueueLimits = {}) {
    this.#release = release
    this.#maxNotes = maxNotes
    this.#maxChars = maxChars
  }

  push(note: Note): void {
    if (this.#end) return
    const reader = this.#readers.shift()
    if (reader) return reader.resolve({ done: false, value: note })
    const chars = charsOf(note)
    this.#chars += chars
    this.#notes.push({ note, chars })
    while (this.#notes.length > this.#maxNotes || (this.#chars > this.#maxChars && this.#notes.length > 1))
      this.#take()
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
    const waiting = this.#take()
    if (waiting) return Promise.resolve({ done: false, value: waiting.note })
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

  #take(): { readonly note: Note } | undefined {
    const oldest = this.#notes.shift()
    this.#chars -= oldest?.chars ?? 0
    return oldest
  }
}
