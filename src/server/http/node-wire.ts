import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Backlog } from './backlog.ts'
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
      for (const event of ['close', 'error']) request.on(event, () => resolve({ kind: 'left' }))
    })
  }
}

export class NodeResponse implements HttpResponse {
  readonly #response: ServerResponse
  readonly #backlog: Backlog

  constructor(response: ServerResponse, backlog: Backlog) {
    this.#response = response
    this.#backlog = backlog
    // A client that leaves in the middle is no fault.
    response.on('error', () => {})
  }

  get isCrowded(): boolean {
    return this.#response.writableLength > mostWaitingBytes
  }

  answer(status: number, headers: HttpHeaders, body = ''): void {
    const response = this.#response
    if (response.headersSent) return
    // What of the body was not read would be taken for the next request.
    const isUnread = !response.req.complete
    const length = Buffer.byteLength(body)
    response.writeHead(status, {
      ...headers,
      'content-length': length,
      ...(isUnread && { connection: 'close' }),
    })
    this.#backlog.sends(response, length)
    response.end(body)
  }

  begin(status: number, headers: HttpHeaders): void {
    this.#response.writeHead(status, headers)
    this.#response.flushHeaders()
  }

  write(text: string): void {
    this.#response.write(text)
  }

  end(last = ''): void {
    this.#backlog.sends(this.#response, Buffer.byteLength(last))
    this.#response.end(last)
  }

  onLeft(listener: () => void): void {
    const response = this.#response
    if (response.closed) return listener()
    response.on('close', () => {
      if (!response.writableFinished) listener()
    })
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

const mostWaitingBytes = 4 * 1024 * 1024
