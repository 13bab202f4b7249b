import { describe, expect, it } from 'vitest'
import { failureOf, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { said } from './bare.ts'
import { channelServer } from './channel.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

/** What the wire does not do yet. Each of these is a test like any other once it does. */
describe('not yet', () => {
  it.fails('a call over HTTP+SSE waits until the handshake was confirmed', async () => {
    const confirmed: string[] = []
    const server = await channelServer({
      'notifications/initialized': () => confirmed.push('confirmed'),
      'tools/call': (exchange, channel) =>
        channel.message({ id: exchange.message.id, result: said(confirmed.join()) }),
    })
    for (const _attempt of Array(10)) {
      confirmed.length = 0
      const { client } = connect(server, { url: server.url, hosting: 'inline' })
      expect(textOf(await client.callTool('echo'))).toBe('confirmed')
      await client.close()
    }
  })

  it.fails('what waits for the confirmation of a handshake is not sent without its session', async () => {
    const server = await legacy()
    const { client } = connect(server, { url: server.url })
    await client.era()
    server.forget()
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    const sessions = server.seen
      .filter(({ name }) => name === 'tools/call')
      .map(({ headers }) => headers['mcp-session-id'])
    expect(sessions).toEqual(['session-2'])
  })

  it.fails('a modern stream is never resumed', async () => {
    const server = await modern({
      'tools/call': (exchange) => exchange.stream().raw('id: 1\nretry: 10\ndata:\n\n').end(),
    })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('lost'))).toMatchObject({ name: 'HttpError', status: 200 })
    expect(server.count('GET')).toBe(0)
  })

  it.fails('an event that ends in the middle does not count as read', async () => {
    const answerTo = (id: unknown) => JSON.stringify({ jsonrpc: '2.0', id, result: said('whole') })
    let answer = ''
    const server = await legacy({
      'tools/call': (exchange) => {
        answer = answerTo(exchange.message.id)
        exchange
          .stream()
          .raw(`id: 1\nretry: 10\ndata:\n\nid: 2\ndata: ${answer.slice(0, 20)}`)
          .end()
      },
      GET: (exchange) => {
        const lines = exchange.stream()
        if (exchange.headers['last-event-id'] === '1') lines.raw(`id: 2\ndata: ${answer}\n\n`)
      },
    })
    const { client } = connect(server, { url: server.url, requestTimeoutMs: 500 })
    expect(textOf(await client.callTool('part'))).toBe('whole')
  })

  it.fails('a stream that is still taken when it is asked for again is asked for once more', async () => {
    const server = await legacy({
      GET: [
        (exchange) => exchange.stream().raw('retry: 10\n\n').cut(),
        (exchange) => exchange.send(409, 'only one stream a session'),
        (exchange) => exchange.stream(),
      ],
    })
    const { client } = connect(server, { url: server.url })
    const states = new Heard<string>()
    client.on('state', ({ context: { stream } }) => states.hear(`${stream} after ${server.count('GET')}`))
    const decided = await states.first((state) => /^absent|^open after 3/.test(state))
    expect(decided).toBe('open after 3')
  })
})
