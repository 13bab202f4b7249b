import type { ResponseHeaders } from './wire.ts'

/** The media type of a response, lower-cased and without its parameters; empty where there is none. */
export function contentType(headers: ResponseHeaders): string {
  const value = headers['content-type']
  return typeof value === 'string' ? (value.split(';', 1)[0] ?? '').trim().toLowerCase() : ''
}

export function isEventStream(headers: ResponseHeaders): boolean {
  return contentType(headers) === 'text/event-stream'
}
