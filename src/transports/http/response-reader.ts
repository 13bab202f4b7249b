import { BodyBuffer } from './body-buffer.ts'
import { isEventStream } from './content-type.ts'
import type { Refusal } from './explain-status.ts'
import { type MessageHandlers, readMessageStream } from './message-stream.ts'
import type { EventReader } from './read-events.ts'
import type { SseCursor } from './sse-cursor.ts'
import type { ResponseHeaders } from './wire.ts'

/** What comes after the head of a response: a stream whose messages are handed on as they come, or a body that is kept. */
export class ResponseReader {
  readonly #status: number
  readonly #headers: ResponseHeaders
  readonly #events: EventReader | undefined
  readonly #body: BodyBuffer

  constructor(
    status: number,
    headers: ResponseHeaders,
    stream: {
      readonly cursor: SseCursor
      readonly maxMessageBytes: number
      readonly handlers: MessageHandlers
    },
  ) {
    this.#status = status
    this.#headers = headers
    const { cursor, maxMessageBytes, handlers } = stream
    this.#body = new BodyBuffer(
      this.isAccepted ? maxMessageBytes : Math.min(maxMessageBytes, maxRefusalBytes),
    )
    if (this.isAccepted && isEventStream(headers))
      this.#events = readMessageStream(cursor, maxMessageBytes, handlers)
  }

  get isAccepted(): boolean {
    return this.#status >= 200 && this.#status < 300
  }

  get isStream(): boolean {
    return this.#events !== undefined
  }

  /** Whether its body will be over the limit, by what its head says. */
  get willBeTooLarge(): boolean {
    return !this.isStream && !this.#body.fits(this.#headers['content-length'])
  }

  /** False when the body is over the limit; the rest of it is no use. */
  push(chunk: Buffer): boolean {
    if (!this.#events) return this.#body.push(chunk)
    this.#events.push(chunk)
    return true
  }

  end(): void {
    this.#events?.end()
  }

  /** All of it, as far as it was kept. */
  get whole(): Refusal {
    return { status: this.#status, headers: this.#headers, text: this.#body.text() }
  }
}

/** What comes with a refusal is an error: a larger one is a page, of which the end is shown. */
const maxRefusalBytes = 1024 * 1024
