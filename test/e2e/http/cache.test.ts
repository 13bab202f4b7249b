import { describe, expect, it } from 'vitest'
import { failureOf } from '../harness.ts'
import type { BareExchange } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern, toolList } from './modern.ts'

const hour = { ttlMs: 3_600_000, cacheScope: 'private' }
const page = (exchange: BareExchange, hint: object) => {
  const { cursor } = exchange.params
  const next = cursor === undefined ? { nextCursor: 'two' } : {}
  exchange.answer({ ...toolList({ name: `tool ${cursor ?? 'one'}` }), ...next, ...hint })
}
const read = (exchange: BareExchange, hint: object) =>
  exchange.answer({ contents: [{ uri: exchange.params.uri, text: 'x' }], ...hint })

describe('what is kept over HTTP', () => {
  it('is not asked for again, page by page and resource by resource', async () => {
    const server = await modern({
      'tools/list': (exchange) => page(exchange, hour),
      'resources/read': (exchange) => read(exchange, hour),
    })
    const { client } = connect(server, { url: server.url })
    for (const _again of [1, 2, 3]) {
      expect((await client.listTools()).map(({ name }) => name)).toEqual(['tool one', 'tool two'])
      await client.readResource('a:///1')
    }
    await client.readResource('a:///2')
    await client.listTools({ refresh: true })
    await client.readResource('a:///1', { refresh: true })
    expect([server.count('tools/list'), server.count('resources/read')]).toEqual([4, 3])
  })

  it.each([
    ['says nothing of it', {}],
    ['allows no time', { ttlMs: 0, cacheScope: 'private' }],
    ['allows less than no time', { ttlMs: -1, cacheScope: 'public' }],
    ['says a time that is none', { ttlMs: '3600000', cacheScope: 'private' }],
  ])('is nothing where the server %s', async (_, hint) => {
    const server = await modern({
      'tools/list': (exchange) => page(exchange, hint),
      'resources/read': (exchange) => read(exchange, hint),
    })
    const { client } = connect(server, { url: server.url })
    for (const _again of [1, 2]) {
      await client.listTools()
      await client.readResource('a:///1')
    }
    expect([server.count('tools/list'), server.count('resources/read')]).toEqual([4, 2])
  })

  it('is nothing of a legacy server', async () => {
    const server = await legacy({
      'tools/list': (exchange) => exchange.answer({ tools: [], ...hour }),
      'resources/read': (exchange) => read(exchange, hour),
    })
    const { client } = connect(server, { url: server.url })
    for (const _again of [1, 2]) {
      await client.listTools()
      await client.readResource('a:///1')
    }
    expect([server.count('tools/list'), server.count('resources/read')]).toEqual([2, 2])
  })
})

describe('a page', () => {
  it('whose cursor is not known any more makes the list begin anew', async () => {
    const server = await modern({
      'tools/list': [
        (exchange) => page(exchange, hour),
        (exchange) => exchange.refuse(200, -32602, 'unknown cursor'),
        (exchange) => page(exchange, hour),
        (exchange) => page(exchange, hour),
      ],
    })
    const { client } = connect(server, { url: server.url })
    expect((await client.listTools()).map(({ name }) => name)).toEqual(['tool one', 'tool two'])
    expect(server.seen.slice(1).map(({ params }) => params.cursor)).toEqual([
      undefined,
      'two',
      undefined,
      'two',
    ])
  })

  it('that is lost fails the list, and the next time only what is missing is asked for', async () => {
    const server = await modern({
      'tools/list': [
        (exchange) => page(exchange, hour),
        (exchange) => exchange.send(500),
        (exchange) => page(exchange, hour),
      ],
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.listTools())).toMatchObject({ name: 'HttpError', status: 500 })
    expect(await client.listTools()).toHaveLength(2)
    expect(server.seen.slice(1).map(({ params }) => params.cursor)).toEqual([undefined, 'two', 'two'])
  })
})
