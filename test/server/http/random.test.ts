import fc from 'fast-check'
import { expect, it } from 'vitest'
import { kit } from '../kit.ts'
import { modern, send, serve } from './harness.ts'
import { RawConnection, rawGreet } from './raw.ts'

const bytes = fc.uint8Array({ minLength: 1, maxLength: 60 }).map((some) => Buffer.from(some))
const headers = fc.string({ maxLength: 40 }).map((text) => Buffer.from(rawGreet({ more: `${text}\r\n` })))
const json = fc.json().map((text) => Buffer.from(rawGreet({ body: text })))
const member = fc.constantFrom('jsonrpc', 'id', 'method', 'params', '_meta', 'name', 'arguments')
const messages = fc
  .dictionary(member, fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 'tools/call', 'initialize')))
  .map((message) => Buffer.from(rawGreet({ body: JSON.stringify(message) })))

/** What is well-formed around what is not keeps its connection for the next. */
const kinds = [
  { kind: 'bytes', some: bytes, count: 2_000, aConnection: 4 },
  { kind: 'headers', some: headers, count: 2_000, aConnection: 4 },
  { kind: 'JSON', some: json, count: 3_000, aConnection: 30 },
  { kind: 'messages', some: messages, count: 3_000, aConnection: 30 },
]
const atOnce = 20

it('outlives any bytes at all', async () => {
  const { url, port } = await serve(kit(), { legacy: true })
  for (const { some, count, aConnection } of kinds) {
    const inputs = fc.sample(some, { numRuns: count, seed: 1 })
    const connections = chunks(inputs, aConnection).map((parts) => Buffer.concat(parts))
    for (const group of chunks(connections, atOnce))
      await Promise.all(group.map((input) => new RawConnection(port).end(input)))
  }
  const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })
  expect((await send(url, greet)).body).toMatchObject({ result: { content: [{ text: 'Hello, Ada!' }] } })
})

function chunks<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  const count = Math.ceil(items.length / size)
  return Array.from({ length: count }, (_, index) => items.slice(index * size, (index + 1) * size))
}
