import { StringDecoder } from 'node:string_decoder'
import { createParser, type EventSourceMessage, type EventSourceParser } from 'eventsource-parser'
import type { SseCursor } from './sse-cursor.ts'

export interface EventHandlers {
  /** `type` is `message` where the stream names none. Data may be empty. */
  event(type: string, data: string): void
  /** An event over the limit was thrown away; what follows it is read on. */
  oversize(): void
}

/** Cuts the bytes of an event stream into events, and moves the cursor. A byte order mark and every kind of line end are understood. */
export class EventReader {
  readonly #cursor: SseCursor
  readonly #maxBytes: number
  readonly #handlers: EventHandlers
  readonly #decoder = new StringDecoder('utf8')
  readonly #parser: EventSourceParser
  #isFirst = true
  #hasEnded = false
  #endsInCr = false
  /** Set while the rest of an event that is too large is thrown away: the last character seen of it. */
  #discarded: string | undefined

  constructor(cursor: SseCursor, maxBytes: number, handlers: EventHandlers) {
    this.#cursor = cursor
    this.#maxBytes = maxBytes
    this.#handlers = handlers
    this.#parser = createParser({
      // It counts characters, and the field's name with them; exact is the look at the finished event.
      maxBufferSize: maxBytes + fieldNameLength,
      onEvent: (event) => this.#take(event),
      onRetry: (ms) => {
        cursor.retryMs = ms
      },
      onError: ({ type }) => {
        if (type === 'max-buffer-size-exceeded') this.#discarded = ''
      },
    })
  }

  push(chunk: Buffer): void {
    const text = this.#normalize(this.#decoder.write(chunk))
    if (text !== '') this.#feed(text)
  }

  /**
   * The server ended the stream: an event it did not finish with an empty line is taken as finished, but does not move the cursor.
   * It may be a part of one, and then the whole one is still to come.
   */
  end(): void {
    this.#hasEnded = true
    this.#feed(`${this.#decoder.end()}\n\n`)
  }

  #feed(text: string): void {
    const rest = this.#discarded === undefined ? text : this.#discard(text)
    if (rest === '') return
    this.#parser.feed(rest)
    if (this.#discarded === undefined) return
    this.#discarded = rest.slice(-1)
    this.#parser.reset()
    this.#handlers.oversize()
  }

  /** What follows the empty line that ends the event. */
  #discard(text: string): string {
    const whole = this.#discarded + text
    const end = whole.indexOf('\n\n')
    this.#discarded = end === -1 ? whole.slice(-1) : undefined
    return end === -1 ? '' : whole.slice(end + 2)
  }

  /** Line ends become LF at once: the parser would keep a CR at the end of a chunk waiting, maybe for ever, for its LF. */
  #normalize(decoded: string): string {
    if (decoded === '') return decoded
    let text = decoded
    if (this.#isFirst && text.charCodeAt(0) === byteOrderMark) text = text.slice(1)
    this.#isFirst = false
    if (this.#endsInCr && text.charCodeAt(0) === lineFeed) text = text.slice(1)
    this.#endsInCr = decoded.charCodeAt(decoded.length - 1) === carriageReturn
    return text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text
  }

  #take({ event = 'message', data, id }: EventSourceMessage): void {
    if (id !== undefined && !this.#hasEnded) this.#cursor.moveTo(id)
    if (this.#isTooLarge(data)) this.#handlers.oversize()
    else this.#handlers.event(event, data)
  }

  #isTooLarge(data: string): boolean {
    const max = this.#maxBytes
    return data.length > max || (data.length * bytesPerUnit > max && Buffer.byteLength(data) > max)
  }
}

/** `data: ` */
const fieldNameLength = 6
/** The most that UTF-8 needs for one unit of a string. */
const bytesPerUnit = 3
const byteOrderMark = 0xfeff
const lineFeed = 0x0a
const carriageReturn = 0x0d
