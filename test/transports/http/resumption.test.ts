import { describe, expect, it } from 'vitest'
import {
  error,
  event,
  type Handler,
  json,
  openedInTime,
  request,
  result,
  type SeenRequest,
  serve,
  stream,
} from './harness.ts'

const isGet = ({ method }: SeenRequest): boolean => method === 'GET'
const note = '{"jsonrpc":"2.0","method":"n"}'
const priming = (id: string, retry = 500): string => event('', { id, retry: String(retry) })

/** The first answer of a server that is to be asked again: where the stream stands, and its end. */
const primed: Handler = (_, response) => {
  stream(response)
  response.end(priming('1'))
}

/** A server that answers POSTs so, and the nth GET by the nth of `gets`. */
async function resumable(post: Handler, ...gets: Handler[]) {
  const server = await serve((asked, response) => {
    if (asked.method === 'POST') post(asked, response)
    else gets.shift()?.(asked, response)
  })
  const { transport, record, clock } = await openedInTime(server.url)
  transport.send(request(1))
  return { server, transport, record, clock }
}

const answered: Handler = (_, response) => {
  stream(response)
  response.end(event(result(1)))
}

describe('a stream that ended before its answer', () => {
  it('goes on by GET from its last event, after exactly the pause the server asks for', async () => {
    const { server, record, clock } = await resumable(primed, answered)
    await clock.pass(500)
    await record.answer(1)
    const get = await server.request(isGet)
    expect(get.headers).toMatchObject({ accept: 'text/event-stream', 'last-event-id': '1' })
    expect(record.names).toEqual(['message'])
  })

  it('goes on also when its connection broke', async () => {
    const { record, clock } = await resumable((_, response) => {
      stream(response)
      response.write(priming('1') + event(note))
      record.onMessage = () => response.destroy()
    }, answered)
    await clock.pass(500)
    await record.answer(1)
    expect(record.names).toEqual(['message', 'message'])
  })

  it('goes on for as long as the server wants to be asked', async () => {
    const polls: Handler[] = Array.from({ length: 12 }, (_, poll) => (_, response) => {
      stream(response)
      response.end(priming(`p${poll}`))
    })
    const { server, record, clock } = await resumable(primed, ...polls, answered)
    for (let poll = 0; poll <= polls.length; poll++) await clock.pass(500)
    await record.answer(1)
    expect(server.seen.filter(isGet).map(({ headers }) => headers['last-event-id'])).toEqual([
      '1',
      ...polls.map((_, poll) => `p${poll}`),
    ])
  })

  it('takes the default pause of a second', async () => {
    const { record, clock } = await resumable((_, response) => {
      stream(response)
      response.end(event('', { id: '1' }))
    }, answered)
    await clock.pass(1000)
    await record.answer(1)
  })

  it('fails at once when no event had an id', async () => {
    const { record, clock } = await resumable((_, response) => {
      stream(response)
      response.end(event(note, { retry: '500' }))
    })
    await record.failure(1)
    expect(clock.pending).toBe(0)
  })

  it.each(['mcp-method', 'Mcp-Method'])('fails at once when its message is modern: %s', async (header) => {
    const ends: Handler[] = [primed, (_, response) => stream(response)]
    const server = await serve((asked, response) => ends.shift()?.(asked, response))
    const { transport, record, clock } = await openedInTime(server.url)
    const headers = { [header]: 'tools/call' }
    transport.send({ ...request(1), headers })
    expect(await record.failure(1)).toMatchObject({ wasRefused: false, failure: { status: 200 } })
    transport.send({ ...request(2), headers })
    const cut = await server.request(({ method }) => method === 'POST', 1)
    cut.response.write(priming('1'), () => cut.response.destroy())
    expect(await record.failure(2)).toMatchObject({ wasRefused: false })
    expect(clock.pending).toBe(0)
    expect(server.seen.filter(isGet)).toEqual([])
  })

  it('goes on from its last whole event, not from one it ended in', async () => {
    const { server, record, clock } = await resumable((_, response) => {
      stream(response)
      response.end(`${priming('1')}id: 2\ndata: ${result(1).slice(0, 20)}`)
    }, answered)
    await clock.pass(500)
    await record.answer(1)
    expect((await server.request(isGet)).headers['last-event-id']).toBe('1')
  })

  it('is asked for again while the server thinks that it is still open', async () => {
    const taken: Handler = (_, response) => response.writeHead(409).end()
    const { record, clock } = await resumable(primed, taken, taken, answered)
    for (const pause of [500, 500, 1000]) await clock.pass(pause)
    await record.answer(1)
    expect(record.names).toEqual(['message'])
  })

  it.each([400, 405, 401])('fails when the server refuses with %d', async (status) => {
    const { record, clock } = await resumable(primed, (_, response) => response.writeHead(status).end())
    await clock.pass(500)
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toMatchObject({ status })
    expect(wasRefused).toBe(false)
  })

  it('fails after five failures in a row', async () => {
    const broken: Handler = (_, response) => response.writeHead(503).end()
    const { server, record, clock } = await resumable(primed, ...Array<Handler>(9).fill(broken))
    for (const pause of [500, 500, 1000, 2000, 4000]) await clock.pass(pause)
    expect((await record.failure(1)).failure).toMatchObject({ status: 503 })
    expect(server.seen.filter(isGet)).toHaveLength(5)
  })

  it('tells of a session that is gone', async () => {
    const server = await serve(({ method, message }, response) => {
      if (method === 'GET') response.writeHead(404).end()
      else if (message.method === 'initialize') json(response.setHeader('Mcp-Session-Id', 's'), result(0))
      else primed({} as SeenRequest, response)
    })
    const { transport, record, clock } = await openedInTime(server.url)
    transport.send(request(0, 'initialize'))
    await record.answer(0)
    transport.send(request(1))
    await clock.pass(500)
    expect(await record.failure(1)).toMatchObject({ wasRefused: false, failure: { status: 404 } })
    expect(record.names).toEqual(['message', 'sessionLost', 'failed'])
  })

  it('is not asked for again once its request is abandoned', async () => {
    const { server, transport, record, clock } = await resumable(primed)
    await clock.reached(500)
    transport.abandon(1)
    expect(clock.pending).toBe(0)
    expect(server.seen.filter(isGet)).toEqual([])
    expect(record.heard).toEqual([])
  })

  it('is left when its request is abandoned while it goes on', async () => {
    const { server, transport, record, clock } = await resumable(primed, (_, response) => stream(response))
    await clock.pass(500)
    const { left } = await server.request(isGet)
    transport.abandon(1)
    await left
    expect(record.heard).toEqual([])
  })

  it('needs no resumption when the answer came on another stream', async () => {
    const { transport, record, clock, server } = await resumable(({ message }, response) => {
      stream(response)
      response.end(message.id === 1 ? priming('1') : event(result(1)) + event(result(2)))
    })
    await clock.reached(500)
    transport.send(request(2))
    await record.answer(2)
    expect(clock.pending).toBe(0)
    expect(server.seen.filter(isGet)).toEqual([])
  })
})

describe('an error on a resumed stream', () => {
  it('is an answer like any other', async () => {
    const { record, clock } = await resumable(primed, (_, response) => {
      stream(response)
      response.write(event(error(1, -32000), { id: '2' }))
    })
    await clock.pass(500)
    expect(await record.answer(1)).toMatchObject({ error: { code: -32000 } })
  })
})
