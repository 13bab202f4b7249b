import type { McpServer } from '../server.ts'
import { HttpEndpoint } from './endpoint.ts'
import { checkEndpointOptions, type HttpEndpointOptions } from './http-options.ts'
import type { HttpBody, HttpHeaders, HttpRequest, HttpResponse } from './wire.ts'

/** Answers requests of web-standard runtimes and frameworks (hono, Deno, Bun …). */
export type WebHandler = (request: Request) => Promise<Response>

/**
 * A server as a web-standard handler, to be mounted where its endpoint is to be; who may come there is for the application to decide,
 * besides the origins. On node:http itself `serveHttp` and `httpListener` are faster. @throws ConfigError
 */
export function webHandler(server: McpServer, options: HttpEndpointOptions = {}): WebHandler {
  checkEndpointOptions(options)
  const endpoint = new HttpEndpoint(server, options)
  return (request) =>
    new Promise((resolve) => {
      const served = endpoint.serve(new WebRequest(request), new WebResponse(request.signal, resolve))
      // Of a client that left before it had said everything, which was answered nothing.
      void served.then(() => resolve(new Response(null, { status: 400 })))
    })
}

class WebRequest implements HttpRequest {
  readonly #request: Request

  constructor(request: Request) {
    this.#request = request
  }

  get verb(): string {
    return this.#request.method
  }

  get path(): string {
    return new URL(this.#request.url).pathname
  }

  header(name: string): string | undefined {
    return this.#request.headers.get(name) ?? (name === 'host' ? new URL(this.#request.url).host : undefined)
  }

  async body(maxBytes: number): Promise<HttpBody> {
    if (this.#request.bodyUsed)
      throw new Error('the body was read before: mount this before what reads bodies')
    const chunks: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of this.#request.body ?? []) {
        size += chunk.length
        if (size > maxBytes) return { kind: 'tooLarge' }
        chunks.push(chunk)
      }
    } catch {
      return { kind: 'left' }
    }
    return { kind: 'text', text: Buffer.concat(chunks).toString() }
  }
}

class WebResponse implements HttpResponse {
  readonly #signal: AbortSignal
  readonly #respond: (response: Response) => void
  readonly #leavers: (() => void)[] = []
  #body: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(signal: AbortSignal, respond: (response: Response) => void) {
    this.#signal = signal
    this.#respond = respond
  }

  get isCrowded(): boolean {
    return (this.#body?.desiredSize ?? 1) <= 0
  }

  answer(status: number, headers: HttpHeaders, body?: string): void {
    this.#respond(new Response(body === undefined || body === '' ? null : body, { status, headers }))
  }

  begin(status: number, headers: HttpHeaders): void {
    const source = {
      start: (controller: ReadableStreamDefaultController<Uint8Array>) => {
        this.#body = controller
      },
      cancel: () => {
        this.#body = undefined
        for (const leave of this.#leavers) leave()
      },
    }
    const body = new ReadableStream(
      source,
      new ByteLengthQueuingStrategy({ highWaterMark: mostWaitingBytes }),
    )
    this.#respond(new Response(body, { status, headers }))
  }

  write(text: string): void {
    this.#body?.enqueue(Buffer.from(text))
  }

  end(last = ''): void {
    if (last !== '') this.write(last)
    this.#body?.close()
    this.#body = undefined
  }

  onLeft(listener: () => void): void {
    if (this.#signal.aborted) return listener()
    this.#leavers.push(listener)
    this.#signal.addEventListener('abort', listener, { once: true })
  }
}

const mostWaitingBytes = 4 * 1024 * 1024
