import type { Identity } from './authorization/identify.ts'

/** One HTTP request, whoever received it: node:http or a web-standard runtime. */
export interface HttpRequest {
  readonly verb: string
  /** Without query. */
  readonly path: string
  /** Whose it is, as its token says; undefined where nobody has to say. */
  readonly identity?: Identity
  /** By its name in small letters; several of one name are joined. */
  header(name: string): string | undefined
  body(maxBytes: number): Promise<HttpBody>
}

export type HttpBody =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'tooLarge' }
  /** The client left before it had said everything. */
  | { readonly kind: 'left' }

export interface HttpHeaders {
  readonly [name: string]: string
}

/** Where the answer goes: whole, or begun and then written to. */
export interface HttpResponse {
  answer(status: number, headers: HttpHeaders, body?: string): void
  begin(status: number, headers: HttpHeaders): void
  write(text: string): void
  /** `last`: what is to be written before. */
  end(last?: string): void
  /** Whether so much waits to be read that what may be lost should not be written. */
  readonly isCrowded: boolean
  /** Called when the client leaves before the answer is complete; at once if it has left. */
  onLeft(listener: () => void): void
}
