import { describe, expect, it } from 'vitest'
import type { Progress } from '../../../src/index.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, type EventLines, said } from './bare.ts'
import { connect } from './harness.ts'
import { modern } from './modern.ts'

const tokenOf = ({ params }: BareExchange) => Object(params._meta).progressToken
const report = (lines: EventLines, exchange: BareExchange, progress: number) =>
  lines.notify('notifications/progress', { progressToken: tokenOf(exchange), progress })
const log = (lines: EventLines, data: unknown) =>
  lines.notify('notifications/message', { level: 'info', data })

describe('an answer as a stream', () => {
  it('brings progress and logs in order, all before the answer', async () => {
    const server = await modern({
      'tools/call': (exchange) => {
        const lines = exchange.stream()
        for (let step = 1; step <= 500; step++) log(report(lines, exchange, step), step)
        lines.answer(said('done')).end()
      },
    })
    const heard: unknown[] = []
    const { client, warnings } = connect(server, {
      url: server.url,
      logLevel: 'info',
      onLog: ({ data }) => heard.push(`log ${data}`),
    })
    const onProgress = ({ progress }: Progress) => heard.push(`progress ${progress}`)
    heard.push(textOf(await client.callTool('count', {}, { onProgress })))
    const steps = Array.from({ length: 500 }, (_, index) => [`progress ${index + 1}`, `log ${index + 1}`])
    expect(heard).toEqual([...steps.flat(), 'done'])
    const levels = server.seen.map(({ params }) => Object(params._meta)['io.modelcontextprotocol/logLevel'])
    expect(levels).toEqual(['info', 'info'])
    expect(warnings.all).toEqual([])
  })

  it('may come beside others, each with what is its own', async () => {
    const open: [EventLines, BareExchange][] = []
    const server = await modern({
      'tools/call': (exchange) => {
        open.push([exchange.stream(), exchange])
        if (open.length < 4) return
        for (const step of [1, 2, 3]) for (const [lines, one] of open) report(lines, one, step)
        for (const [lines, one] of open.reverse()) lines.answer(said(`${one.tool}`)).end()
      },
    })
    const { client } = connect(server, { url: server.url })
    const calls = ['a', 'b', 'c', 'd'].map(async (name) => {
      const reports: number[] = []
      const onProgress = ({ progress }: Progress) => reports.push(progress)
      return [textOf(await client.callTool(name, {}, { onProgress })), reports]
    })
    expect(await Promise.all(calls)).toEqual(['a', 'b', 'c', 'd'].map((name) => [name, [1, 2, 3]]))
  })

  it.each<readonly [string, (lines: EventLines) => void, object]>([
    ['ends', (lines) => lines.end(), { status: 200, message: expect.stringContaining('before the answer') }],
    ['breaks off', (lines) => lines.raw('data: {"jso').cut(), { status: 0 }],
  ])('that %s without it fails this call at once, and no other', async (_, stop, failure) => {
    const held: EventLines[] = []
    const server = await modern({
      'tools/call': (exchange) => {
        const lines = exchange.stream()
        held.push(lines)
        if (exchange.tool === 'other') return
        log(lines, 'so far')
        stop(lines)
      },
    })
    const { client } = connect(server, { url: server.url })
    const other = client.callTool('other')
    await server.exchange(({ tool }) => tool === 'other')
    expect(await failureOf(client.callTool('echo'))).toMatchObject({ name: 'HttpError', ...failure })
    expect(client.state.value).toEqual({ modern: 'ready' })
    held[0]?.message({ id: server.seen[1]?.message.id, result: said('still here') }).end()
    expect(textOf(await other)).toBe('still here')
    expect(server.count('tools/call')).toBe(2)
  })

  it('takes any number of notifications nobody asked for', async () => {
    const flood = 20_000
    const server = await modern({
      'tools/call': (exchange) => {
        const lines = exchange.stream()
        const one = `data: {"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":"x"}}\n\n`
        lines.raw(one.repeat(flood)).raw(': a comment\n\n').answer(said('survived')).end()
      },
    })
    let heard = 0
    const { client } = connect(server, { url: server.url })
    client.on('notification', () => {
      heard += 1
    })
    expect(textOf(await client.callTool('flood'))).toBe('survived')
    expect(heard).toBe(flood)
  })

  it.each(['json', 'stream'])('or as JSON may have 1 MB and 10 MB (%s)', async (how) => {
    const server = await modern({
      'tools/call': (exchange) => {
        const result = said('ä🎭'.repeat(Number(Object(exchange.params.arguments).times)))
        if (how === 'json') exchange.answer(result)
        else exchange.stream().answer(result).end()
      },
    })
    const { client } = connect(server, { url: server.url })
    for (const times of [170_000, 1_700_000]) {
      const text = textOf(await client.callTool('big', { times }))
      expect(text.length).toBe(times * 3)
      expect(text.endsWith('ä🎭')).toBe(true)
    }
  })
})

describe('an answer', () => {
  it.each(['json', 'stream'])('over the limit fails its call alone (%s)', async (how) => {
    const server = await modern({
      'tools/call': (exchange) => {
        const result = said('x'.repeat(exchange.tool === 'big' ? 100_000 : 100))
        if (how === 'json') exchange.answer(result)
        else exchange.stream().answer(result).end()
      },
    })
    const { client } = connect(server, { url: server.url, maxMessageBytes: 50_000 })
    const [big, small] = await Promise.all([failureOf(client.callTool('big')), client.callTool('small')])
    expect(big).toMatchObject({ name: 'MessageTooLargeError', maxMessageBytes: 50_000 })
    expect(textOf(small)).toHaveLength(100)
  })

  it.each(['end', 'cut'] as const)('whose stream is lost (%s) is never asked for again', async (how) => {
    const server = await modern({
      'tools/call': (exchange) => exchange.stream().raw('id: 1\nretry: 10\ndata:\n\n')[how](),
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('lost'))).toMatchObject({ name: 'HttpError' })
    expect([server.count('tools/call'), server.count('GET')]).toEqual([1, 0])
  })

  it('finds its call among hundreds', async () => {
    const server = await modern({ 'tools/call': (exchange) => exchange.answer(said(`${exchange.tool}`)) })
    const { client } = connect(server, { url: server.url })
    const tools = Array.from({ length: 600 }, (_, index) => `tool ${index}`)
    const results = await Promise.all(tools.map((tool) => client.callTool(tool)))
    expect(results.map(textOf)).toEqual(tools)
  })

  it('may follow what is none, and be followed by anything', async () => {
    const server = await modern({
      'tools/call': (exchange) => {
        const lines = exchange.stream().raw('data: not JSON\n\nevent: other\ndata: {}\n\n')
        lines.message({ id: 'nobody', result: {} }).message({ id: 1, method: 'ping' })
        lines.answer(said('right')).answer(said('again')).end()
      },
    })
    const { client, warnings } = connect(server, { url: server.url })
    expect(textOf(await client.callTool('odd'))).toBe('right')
    expect(textOf(await client.callTool('odd'))).toBe('right')
    const kinds = warnings.all.map((warning) => warning.replace(/( \(\d+ so far\))?:.*/s, ''))
    expect(new Set(kinds)).toEqual(
      new Set([
        expect.stringContaining('no message'),
        'an answer nobody waits for was dropped',
        'a request of a modern server was dropped',
      ]),
    )
  })

  it('that is an error of HTTP fails its call with what the server said', async () => {
    const server = await modern({
      'tools/call': [
        (exchange) => exchange.send(500, 'out of order'),
        (exchange) => exchange.send(413, 'too large'),
        (exchange) => exchange.refuse(400, -32602, 'bad arguments', { at: 'x' }),
        (exchange) => exchange.refuse(500, -32603, 'internal'),
        (exchange) => exchange.answer(said('fine')),
      ],
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('a'))).toMatchObject({ status: 500, bodyTail: 'out of order' })
    expect(await failureOf(client.callTool('b'))).toMatchObject({ status: 413, bodyTail: 'too large' })
    expect(await failureOf(client.callTool('c'))).toMatchObject({ code: -32602, data: { at: 'x' } })
    expect(await failureOf(client.callTool('d'))).toMatchObject({ code: -32603, message: 'internal' })
    expect(textOf(await client.callTool('e'))).toBe('fine')
  })
})
