import type { HttpHeaders, HttpRequest, HttpResponse } from './wire.ts'

/** Lets the page of an allowed origin read what it is answered: without that its browser would keep it from it. */
export function readableBy(origin: string, response: HttpResponse): HttpResponse {
  const more = {
    'access-control-allow-origin': origin,
    'access-control-expose-headers': 'Mcp-Session-Id, WWW-Authenticate',
    vary: 'Origin',
  }
  return {
    answer: (status, headers, body) => response.answer(status, { ...headers, ...more }, body),
    begin: (status, headers) => response.begin(status, { ...headers, ...more }),
    write: (text) => response.write(text),
    end: (last) => response.end(last),
    get isCrowded() {
      return response.isCrowded
    },
    onLeft: (listener) => response.onLeft(listener),
  }
}

/** The answer to a browser that asks whether its page may ask: whatever headers it names, since tools name their own. */
export function preflightHeaders(request: HttpRequest): HttpHeaders {
  return {
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': request.header('access-control-request-headers') ?? '',
    'access-control-max-age': '600',
  }
}
