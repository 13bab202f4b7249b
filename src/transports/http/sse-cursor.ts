/** Where an event stream stands, over all its connections. */
export class SseCursor {
  #lastEventId: string | undefined
  /** What the server asks to wait before its stream is opened again. */
  retryMs = 1000

  /** As the value of a header; undefined until an event had an id. */
  get lastEventId(): string | undefined {
    return this.#lastEventId
  }

  /** An empty id takes the last one back; one that no header can hold counts as none. */
  moveTo(id: string): void {
    // Ids are UTF-8 on the stream, so their bytes are in the header.
    const value = Buffer.from(id).toString('latin1')
    this.#lastEventId = value.length <= maxLength && visible.test(value) ? value : undefined
  }
}

const visible = /^[\x20-\x7e\x80-\xff]+$/
/** Servers refuse a request whose headers are larger than 8 or 16 KiB. */
const maxLength = 4096
