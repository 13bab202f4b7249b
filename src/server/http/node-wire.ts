import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Backlog, OpenAnswer, OpenAnswers } from './backlog.ts'
import type { HttpBody, HttpHeaders, HttpRequest, HttpResponse } from './wire.ts'

export class NodeRequest implements HttpRequest {
  readonly #request: IncomingMessage

  constructor(request: IncomingMessage) {
    this.#request = request
  }

  get verb(): string {
    return this.#request.method ?? ''
  }

  get path(): string {
    return pathOf(this.#request)
  }

  header(name: string): string | undefined {
    const value = this.#request.headers[name]
    return Array.isArray(value) ? value.join(', ') : value
  }

  /** @throws Error when somebody else has read it */
  async body(maxBytes: number): Promise<HttpBody> {
    const request = this.#request
    if (request.readableEnded)
      throw new Error('the body was read before: mount this before what reads bodies')
    if (request.destroyed) return { kind: 'left' }
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return { kind: 'tooLarge' }
    return new Promise((resolve) => {
      const chunks: Buffer[] = []
      let size = 0
      request.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size <= maxBytes) chunks.push(chunk)
        else resolve({ kind: 'tooLarge' })
      })
      request.on('end', () => resolve({ kind: 'text', text: joined(chunks) }))
      request.on('error', noFault)
      // After an end too, when it is settled.
      request.on('close', () => resolve({ kind: 'left' }))
    })
  }
}

export class NodeResponse implements HttpResponse, OpenAnswer {
  readonly #response: ServerResponse
  readonly #backlog: Backlog
  readonly #open: OpenAnswers
  readonly #leavers: (() => void)[] = []
  #unreadBytes = 0

  constructor(response: ServerResponse, backlog: Backlog) {
    this.#response = response
    this.#backlog = backlog
    this.#open = backlog.begin(response.req.socket, this)
    response.on('error', noFault)
    response.on('close', () => this.close())
  }

  /** Whether its client has so much to read that nothing more is done for it. */
  get isTooMuch(): boolean {
    return this.#backlog.isTooMuch(this.#open)
  }

  get isCrowded(): boolean {
    return this.#response.writableLength > mostWaitingBytes
  }

  answer(status: number, headers: HttpHeaders, body = ''): void {
    const response = this.#response
    if (response.headersSent) return
    // As a flat list, which Node copies into no object.
    const list = ['content-length', String(Buffer.byteLength(body))]
    for (const name in headers) list.push(name, headers[name] ?? '')
    // What of the body was not read would be taken for the next request.
    if (!response.req.complete) list.push('connection', 'close')
    response.writeHead(status, list)
    this.end(body)
  }

  begin(status: number, headers: HttpHeaders): void {
    // By whatever this is mounted in: a timeout, say.
    if (this.#response.headersSent) return
    this.#response.writeHead(status, headers)
    this.#response.flushHeaders()
  }

  write(text: string): void {
    this.#response.write(text, () => this.#countUnread())
    this.#countUnread()
  }

  end(last = ''): void {
    this.#response.end(last)
    this.#countUnread()
  }

  onLeft(listener: () => void): void {
    if (!this.#open.has(this)) listener()
    else this.#leavers.push(listener)
  }

  close(): void {
    if (!this.#open.delete(this)) return
    this.#countUnread()
    if (!this.#response.writableFinished) for (const leave of this.#leavers) leave()
  }

  /** What the system has not taken waits for its reader, but not for ever. */
  #countUnread(): void {
    const response = this.#response
    const bytes = this.#open.has(this) ? response.writableLength : 0
    const before = this.#unreadBytes
    if (bytes === before) return
    if (before === 0) response.setTimeout(this.#backlog.stallTimeoutMs)
    // One that has ended waits for its connection, whose time is Node's then.
    else if (bytes === 0 && !response.writableEnded) response.setTimeout(0)
    this.#unreadBytes = bytes
    this.#backlog.count(bytes - before)
  }
}

/** What a request asks for, without its query. */
export function pathOf({ url = '' }: IncomingMessage): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/**
 * A header that may be there once and is there more often: Node keeps the first, and a proxy in front may have judged by the last.
 * Others are joined, and then fit nothing.
 */
export function repeatedHeader(request: IncomingMessage): string | undefined {
  if (request.rawHeaders.length === 2 * Object.keys(request.headers).length) return undefined
  const { headersDistinct } = request
  return ['host', 'authorization', 'content-type'].find((name) => (headersDistinct[name]?.length ?? 0) > 1)
}

function joined(chunks: readonly Buffer[]): string {
  const [first] = chunks
  return chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks).toString()
}

/** A client that leaves in the middle is none. */
const noFault = () => {}
const mostWaitingBytes = 4 * 1024 * 1024
