import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import {
  type HttpServing,
  type McpServer,
  type ServeHttpOptions,
  serveHttp,
} from '../../../src/server/index.ts'
import { stamp } from '../dispatch/harness.ts'

export interface Answer {
  readonly status: number
  readonly headers: IncomingHttpHeaders
  readonly text: string
  /** The body, or the last event of a stream. */
  readonly body: JsonObject
  readonly events: readonly JsonObject[]
}

/** A server on a free port, closed when the test ends. */
export async function serve(server: McpServer, options: ServeHttpOptions = {}): Promise<HttpServing> {
  const serving = await serveHttp(server, { port: 0, closeGraceMs: 0, ...options })
  onTestFinished(() => serving.close())
  return serving
}

export interface Wanted {
  readonly verb?: string
  /** Undefined leaves one out. */
  readonly headers?: { readonly [name: string]: string | undefined }
  readonly body?: string | JsonObject
}

/** One request as it is, down to its headers. */
export function send(url: string, { verb = 'POST', headers = {}, body = '' }: Wanted): Promise<Answer> {
  const given = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...headers,
  }
  const sent = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as {
    [name: string]: string
  }
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method: verb, headers: sent, agent: false }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part
      })
      response.on('end', () => resolve(readAnswer(response.statusCode ?? 0, response.headers, text)))
      response.on('error', reject)
    })
    request.on('error', reject)
    request.end(typeof body === 'string' ? body : JSON.stringify(body))
  })
}

/** A modern request with the headers that belong to it. */
export function modern(
  method: string,
  params: JsonObject = {},
  meta: JsonObject = {},
): Wanted & { headers: object } {
  const subject = params.name ?? params.uri ?? params.taskId
  return {
    headers: {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof subject === 'string' && { 'mcp-name': subject }),
    },
    body: { jsonrpc: '2.0', id: 7, method, params: { ...params, _meta: stamp(meta) } },
  }
}

function readAnswer(status: number, headers: IncomingHttpHeaders, text: string): Answer {
  const isStream = headers['content-type'] === 'text/event-stream'
  const data = text.split('\n').filter((line) => /^data: ./.test(line))
  const events: JsonObject[] = isStream ? data.map((line) => JSON.parse(line.slice(6))) : []
  const body = isStream ? (events.at(-1) ?? {}) : text === '' ? {} : JSON.parse(text)
  return { status, headers, text, body, events }
}
