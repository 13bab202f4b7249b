import { describe, expect, it } from 'vitest'
import {
  type Connected,
  event,
  type Handler,
  json,
  notification,
  opened,
  openedInTime,
  request,
  result,
  type SeenRequest,
  serve,
  stream,
  type TestServer,
} from './harness.ts'

const note = '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}'
const isGet = ({ method }: SeenRequest): boolean => method === 'GET'

/** A legacy server with a session that serves its GET so. */
function legacy(get: Handler): Promise<TestServer> {
  return serve((asked, response) => {
    const { method, message } = asked
    if (method === 'GET') get(asked, response)
    else if (method === 'DELETE') response.writeHead(200).end()
    else if (message.method === 'initialize')
      json(response.setHeader('Mcp-Session-Id', 's'), result(message.id))
    else if ('id' in message) json(response, result(message.id))
    else response.writeHead(202).end()
  })
}

/** The handshake, and one call right behind it. */
async function shakeHands({ transport, record }: Connected): Promise<void> {
  transport.send(request('i', 'initialize'))
  await record.answer('i')
  transport.send(notification('notifications/initialized'))
  transport.send(request('first'))
}

/** What the server got, in order. */
const orderOf = ({ seen }: TestServer): unknown[] =>
  seen.map(({ method, message }) => (method === 'POST' ? (message.id ?? message.method) : method))

describe("the server's own stream", () => {
  it('is opened after the handshake, before any call', async () => {
    const server = await legacy((_, response) => stream(response))
    const connected = await opened(server.url)
    await shakeHands(connected)
    const { record } = connected
    await record.answer('first')
    expect(orderOf(server)).toEqual(['i', 'notifications/initialized', 'GET', 'first'])
    expect(server.seen[2]?.headers).toMatchObject({ accept: 'text/event-stream', 'mcp-session-id': 's' })
    expect(record.names).toEqual(['message', 'stream open', 'message'])
  })

  it('carries what the server says unasked', async () => {
    const server = await legacy((_, response) => {
      stream(response)
      response.write(event(note))
    })
    const connected = await opened(server.url)
    await shakeHands(connected)
    await connected.record.find(({ method }) => method === 'notifications/tools/list_changed')
  })

  it.each([400, 401, 404, 405, 406, 409, 500])('need not be offered: %d', async (status) => {
    const server = await legacy((_, response) => response.writeHead(status).end('<html>'))
    const connected = await opened(server.url)
    await shakeHands(connected)
    await connected.record.answer('first')
    expect(connected.record.names).toEqual(['message', 'stream absent', 'message'])
    expect(server.seen.filter(isGet)).toHaveLength(1)
  })

  it('is not what answers with something else than events', async () => {
    const server = await legacy((_, response) => json(response, '{}'))
    const connected = await opened(server.url)
    await shakeHands(connected)
    await connected.record.answer('first')
    expect(connected.record.names).toEqual(['message', 'stream absent', 'message'])
  })

  it('keeps calls waiting for a second and no longer when the server does not answer', async () => {
    const server = await legacy(() => {})
    const connected = await openedInTime(server.url)
    await shakeHands(connected)
    await server.request(isGet)
    connected.transport.send(request('second'))
    connected.transport.send(request('gone'))
    connected.transport.abandon('gone')
    await connected.clock.pass(1000)
    await connected.record.answer('second')
    await connected.record.answer('first')
    expect(new Set(orderOf(server))).toEqual(
      new Set(['i', 'notifications/initialized', 'GET', 'first', 'second']),
    )
  })

  it('is not opened when the server refuses the notification', async () => {
    const server = await serve(({ message }, response) => {
      if ('id' in message) json(response, result(message.id))
      else response.writeHead(500).end()
    })
    const connected = await opened(server.url)
    await shakeHands(connected)
    await connected.record.answer('first')
    expect(server.seen.filter(isGet)).toEqual([])
    expect(connected.record.names).toEqual(['message', 'noise', 'message'])
  })

  it('is not opened by a modern conversation', async () => {
    const server = await legacy((_, response) => stream(response))
    const { transport, record } = await opened(server.url)
    transport.send(request(1, 'server/discover'))
    transport.send(request(2))
    await record.answer(2)
    await record.answer(1)
    expect(server.seen.filter(isGet)).toEqual([])
  })
})

describe("the server's own stream, once it ended,", () => {
  it('is opened again after the pause the server asks for, where it stood', async () => {
    const server = await legacy((_, response) => {
      stream(response)
      if (server.seen.filter(isGet).length === 1) response.end(event(note, { id: '7', retry: '700' }))
    })
    const connected = await openedInTime(server.url)
    await shakeHands(connected)
    await connected.record.until(({ names }) => names.includes('stream waiting') || undefined)
    await connected.clock.pass(700)
    const again = await server.request(isGet, 1)
    expect(again.headers).toMatchObject({ 'last-event-id': '7', 'mcp-session-id': 's' })
    await connected.record.next('stream', 2)
    expect(connected.record.all('stream').map(({ state }) => state)).toEqual(['open', 'waiting', 'open'])
  })

  it('is given up after five failures in a row, with longer and longer pauses', async () => {
    const server = await legacy((_, response) => {
      if (server.seen.filter(isGet).length > 1) return response.destroy()
      stream(response)
      response.end(event(note, { retry: '700' }))
    })
    const connected = await openedInTime(server.url)
    await shakeHands(connected)
    // The stream itself had a message. The first failure costs the usual pause, too.
    for (const pause of [700, 700, 1400, 2800, 5600]) await connected.clock.pass(pause)
    await connected.record.until(({ names }) => names.includes('stream absent') || undefined)
    expect(connected.clock.pending).toBe(0)
  })

  it('is opened once the server has noticed, too', async () => {
    const server = await legacy((_, response) => {
      const count = server.seen.filter(isGet).length
      if (count === 2 || count === 3) return response.writeHead(409).end('one stream a session')
      stream(response)
      if (count === 1) response.write(event(note, { retry: '700' }), () => response.destroy())
    })
    const connected = await openedInTime(server.url)
    await shakeHands(connected)
    for (const pause of [700, 700, 1400]) await connected.clock.pass(pause)
    await connected.record.until(({ names }) => names.at(-1) === 'stream open' || undefined)
    expect(connected.record.all('stream').map(({ state }) => state)).toEqual([
      'open',
      ...['waiting', 'waiting', 'waiting'],
      'open',
    ])
  })

  it('tells of a session that ended meanwhile', async () => {
    const server = await legacy((_, response) => {
      if (server.seen.filter(isGet).length > 1) return response.writeHead(404).end()
      stream(response)
      response.end(event(note, { retry: '700' }))
    })
    const connected = await openedInTime(server.url)
    await shakeHands(connected)
    await connected.clock.pass(700)
    await connected.record.next('sessionLost')
    expect(connected.record.names.slice(-2)).toEqual(['stream absent', 'sessionLost'])
  })

  it('is left by the next initialize', async () => {
    const server = await legacy((_, response) => stream(response))
    const connected = await opened(server.url)
    await shakeHands(connected)
    const { left } = await server.request(isGet)
    connected.transport.send(request('again', 'initialize'))
    await left
    await connected.record.answer('again')
    expect(connected.record.names).toContain('stream absent')
  })
})

describe("an event over the limit on the server's own stream", () => {
  it('is discarded, and the stream goes on', async () => {
    const server = await legacy((_, response) => {
      stream(response)
      response.write(event('x'.repeat(5000)) + event(note))
    })
    const connected = await opened({ url: server.url, maxMessageBytes: 1000 })
    await shakeHands(connected)
    await connected.record.find(({ method }) => method === 'notifications/tools/list_changed')
    expect(connected.record.all('oversize')).toEqual([
      { event: 'oversize', id: undefined, maxMessageBytes: 1000 },
    ])
  })
})
