import { expect, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { type BareExchange, type BareServer, bare, type Routes, said } from './bare.ts'

export const modernVersion = '2026-07-28'

export const discovery = {
  resultType: 'complete',
  supportedVersions: [modernVersion],
  capabilities: { logging: {}, tools: { listChanged: true }, resources: { subscribe: true }, prompts: {} },
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'bare', version: '1.0.0' } },
}

/** A strict server of 2026-07-28 without a library. What a client does wrong fails the test at its end. */
export async function modern(routes: Routes = {}): Promise<BareServer> {
  const server = await bare(
    {
      'server/discover': (exchange) => exchange.answer(discovery),
      'tools/call': (exchange) => exchange.answer(said(`${exchange.tool} was called`)),
      ...routes,
    },
    (exchange) => exchange.refuse(404, -32601, `no method ${exchange.name}`),
  )
  onTestFinished(() => expect(server.seen.flatMap(complaints)).toEqual([]))
  return server
}

/** A route that answers every request with the same. */
export const answers = (result: JsonObject) => (exchange: BareExchange) => exchange.answer(result)

/** An answer to `tools/list`. */
export const toolList = (...tools: readonly JsonObject[]): JsonObject => ({
  tools: tools.map((tool) => ({ inputSchema: { type: 'object' }, ...tool })),
})

const subjects: { readonly [method: string]: string } = {
  'tools/call': 'name',
  'prompts/get': 'name',
  'resources/read': 'uri',
}

/** What the protocol asks of a POST, as far as one request can break it. */
function complaints({ verb, headers, message, params, name }: BareExchange): readonly string[] {
  if (verb !== 'POST') return [`${verb} is no verb of a modern client`]
  if (message.id === undefined) return [`${name} is no request`]
  const meta = Object(params._meta)
  const subject = subjects[name]
  const wanted: { readonly [header: string]: unknown } = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': meta['io.modelcontextprotocol/protocolVersion'] ?? 'missing in _meta',
    'mcp-method': name,
    'mcp-name': subject && encoded(params[subject]),
    'mcp-session-id': undefined,
    'last-event-id': undefined,
  }
  return Object.entries(wanted)
    .filter(([header, value]) => headers[header] !== value)
    .map(([header, value]) => `${name}: ${header} is ${headers[header]}, not ${value}`)
}

/** How a header carries what is no plain text, written down once more. */
export function encoded(value: unknown): string {
  const text = String(value)
  const isPlain = /^(?![ \t])[\x20-\x7e]*(?<![ \t])$/.test(text) && !/^=\?base64\?.*\?=$/.test(text)
  return isPlain ? text : `=?base64?${Buffer.from(text).toString('base64')}?=`
}
