import { describe, expect, it } from 'vitest'
import {
  error,
  type Handler,
  json,
  notification,
  opened,
  openedInTime,
  request,
  result,
  serve,
} from './harness.ts'

/** Begins sessions `s1`, `s2` …; `answer` serves everything else, and a GET gets 405. */
function sessions(answer: Handler = ({ message }, response) => json(response, result(message.id))): Handler {
  let count = 0
  return (asked, response) => {
    if (asked.method === 'GET') response.writeHead(405).end()
    else if (asked.message.method === 'initialize') {
      response.setHeader('Mcp-Session-Id', `s${++count}`)
      json(response, result(asked.message.id))
    } else answer(asked, response)
  }
}

const idOf = ({ headers }: { headers: { [name: string]: unknown } }) => headers['mcp-session-id']

describe('a session', () => {
  it('begins with the answer to initialize, is named in everything after, and is ended by closing', async () => {
    const server = await serve(sessions())
    const { transport, record } = await opened({ url: server.url, headers: { x: '1' } })
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    const version = { 'MCP-Protocol-Version': '2025-11-25' }
    transport.send({ ...notification('notifications/initialized'), headers: version })
    transport.send({ ...request(2), headers: version })
    await record.answer(2)
    await transport.close()
    expect(server.seen.map((one) => [one.method, idOf(one)])).toEqual([
      ['POST', undefined],
      ['POST', 's1'],
      ['GET', 's1'],
      ['POST', 's1'],
      ['DELETE', 's1'],
    ])
    expect(server.seen.slice(1).map(({ headers }) => headers['mcp-protocol-version'])).toEqual(
      Array(4).fill('2025-11-25'),
    )
    expect(server.seen.map(({ headers }) => headers.x)).toEqual(Array(5).fill('1'))
  })

  it('is not begun by any other answer', async () => {
    const server = await serve(({ message }, response) => {
      response.setHeader('Mcp-Session-Id', 'from-nowhere')
      json(response, result(message.id))
    })
    const { transport, record } = await opened(server.url)
    for (const id of [1, 2]) {
      transport.send(request(id, 'server/discover'))
      await record.answer(id)
    }
    await transport.close()
    expect(server.seen.map(idOf)).toEqual([undefined, undefined])
  })

  it('is not begun by a refusal, nor by an id with characters that none may have', async () => {
    const answers: Handler[] = [
      (_, response) => json(response.setHeader('Mcp-Session-Id', 'refused'), error(1, -32602), 400),
      (_, response) => json(response.setHeader('Mcp-Session-Id', 'two words'), result(1)),
      (_, response) => json(response, result(1)),
    ]
    const server = await serve((asked, response) => answers.shift()?.(asked, response))
    const { transport, record } = await opened(server.url)
    for (const turn of [0, 1, 2]) {
      transport.send(request(1, turn === 2 ? 'ping' : 'initialize'))
      await record.next('message', turn)
    }
    expect(server.seen.map(idOf)).toEqual([undefined, undefined, undefined])
    expect(record.all('noise')).toEqual([{ event: 'noise', sample: 'a malformed Mcp-Session-Id: two words' }])
  })

  it('is left by the next initialize', async () => {
    const server = await serve(sessions())
    const { transport, record } = await opened(server.url)
    for (const [index, method] of ['initialize', 'ping', 'initialize', 'ping'].entries()) {
      transport.send(request(index, method))
      await record.answer(index)
    }
    expect(server.seen.map(idOf)).toEqual([undefined, 's1', undefined, 's2'])
  })
})

describe('a session that the server forgot', () => {
  it('is reported once, before what failed by it, and can be begun again', async () => {
    const server = await serve(
      sessions((asked, response) => {
        if (idOf(asked) === 's1') json(response, error(null, -32001, 'Session not found'), 404)
        else json(response, result(asked.message.id))
      }),
    )
    const { transport, record } = await opened(server.url)
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    transport.send(request(2))
    transport.send(request(3))
    for (const id of [2, 3]) {
      const { failure, wasRefused } = await record.failure(id)
      expect(failure).toMatchObject({ name: 'HttpError', status: 404 })
      expect(failure.message).toMatch(/Session not found/)
      expect(wasRefused).toBe(true)
    }
    expect(record.names).toEqual(['message', 'sessionLost', 'failed', 'failed'])
    transport.send(request(4, 'initialize'))
    await record.answer(4)
    transport.send(request(5))
    await record.answer(5)
    expect(server.seen.map(idOf)).toEqual([undefined, 's1', 's1', undefined, 's2'])
  })

  it('is not what -32601 means', async () => {
    const server = await serve(
      sessions(({ message }, response) => json(response, error(message.id, -32601), 404)),
    )
    const { transport, record } = await opened(server.url)
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    transport.send(request(2))
    await record.answer(2)
    expect(record.names).toEqual(['message', 'message'])
  })

  it('is not what 404 means where there is none', async () => {
    const server = await serve((_, response) => response.writeHead(404).end())
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    expect((await record.failure(1)).failure.message).toMatch(/has nothing at \/mcp; check the URL \(404\)/)
    expect(record.names).toEqual(['failed'])
  })

  it('is found out by a notification, too', async () => {
    const server = await serve(sessions((_, response) => response.writeHead(404).end()))
    const { transport, record } = await opened(server.url)
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    transport.send(notification('notifications/x'))
    await record.next('sessionLost')
    expect(record.names).toEqual(['message', 'sessionLost', 'noise'])
    await transport.close()
    expect(server.seen.map(({ method }) => method)).not.toContain('DELETE')
  })
})

describe('what waits for the end of the handshake', () => {
  const initialized = 'notifications/initialized'

  /** A handshake whose last message the first session answers so, with two calls behind it. */
  async function waiting(answer: Handler) {
    const server = await serve(
      sessions((asked, response) => {
        if (asked.message.method !== initialized) json(response, result(asked.message.id))
        else if (idOf(asked) === 's1') answer(asked, response)
        else response.writeHead(202).end()
      }),
    )
    const { transport, record } = await opened(server.url)
    transport.send(request('first', 'initialize'))
    await record.answer('first')
    transport.send(notification(initialized))
    for (const id of [1, 2]) transport.send(request(id))
    await server.request(({ message }) => message.method === initialized)
    /** Which calls came, and in which session. */
    const calls = () =>
      server.seen
        .filter(({ message }) => message.method === 'tools/call')
        .map((one) => [one.message.id, idOf(one)])
    return { transport, record, calls }
  }

  it('is refused when that loses the session, after the loss was told', async () => {
    const { transport, record, calls } = await waiting((_, response) => response.writeHead(404).end())
    for (const id of [1, 2]) expect((await record.failure(id)).wasRefused).toBe(true)
    expect(record.names).toEqual(['message', 'sessionLost', 'failed', 'failed', 'noise'])
    transport.send(request('second', 'initialize'))
    await record.answer('second')
    transport.send(request(3))
    await record.answer(3)
    expect(calls()).toEqual([[3, 's2']])
  })

  it('is refused when another session is begun', async () => {
    const { transport, record, calls } = await waiting(() => {})
    transport.send(request('second', 'initialize'))
    for (const id of [1, 2]) expect((await record.failure(id)).wasRefused).toBe(true)
    await record.answer('second')
    expect(calls()).toEqual([])
  })
})

describe('the end of a session', () => {
  it.each([405, 404, 500])('may be refused with %d', async (status) => {
    const server = await serve(sessions((_, response) => response.writeHead(status).end()))
    const { transport, record } = await opened(server.url)
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    await transport.close()
    expect(server.seen.at(-1)?.method).toBe('DELETE')
    expect(record.names).toEqual(['message', 'closed'])
  })

  it('keeps nobody waiting for longer than a second', async () => {
    const server = await serve(sessions(() => {}))
    const { transport, record, clock } = await openedInTime(server.url)
    transport.send(request(1, 'initialize'))
    await record.answer(1)
    const closing = transport.close()
    await server.request(({ method }) => method === 'DELETE')
    await clock.pass(1000)
    await closing
  })
})
