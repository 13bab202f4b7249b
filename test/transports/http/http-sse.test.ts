import { describe, expect, it } from 'vitest'
import { AuthorizationError, HttpError, TransportClosedError } from '../../../src/errors.ts'
import {
  event,
  type Handler,
  never,
  notification,
  opened,
  openedInTime,
  request,
  result,
  type SeenRequest,
  serve,
  stream,
} from './harness.ts'

const isGet = ({ method }: SeenRequest): boolean => method === 'GET'
const isPost = ({ method }: SeenRequest): boolean => method === 'POST'
const endpoint = (url: string): string => event(url, { event: 'endpoint' })

/** A server of 2024-11-05; each POST is answered by `answer`, else on the stream. */
async function old(url = '/messages?session=1', answer?: Handler) {
  let channel: SeenRequest['response'] | undefined
  const server = await serve((asked, response) => {
    if (asked.method === 'GET') {
      channel = response
      stream(response)
      response.write(endpoint(url))
    } else if (asked.url === '/mcp') response.writeHead(405).end()
    else if (answer) answer(asked, response)
    else {
      response.writeHead(202).end('Accepted')
      if ('id' in asked.message) channel?.write(event(result(asked.message.id)))
    }
  })
  return server
}

async function fallenBack(server: Awaited<ReturnType<typeof old>>, options = {}) {
  const connected = await opened({ url: server.url, ...options })
  await connected.transport.fallBack(never)
  return connected
}

describe('falling back to HTTP+SSE', () => {
  it('posts where the server says, and takes answers from its stream', async () => {
    const server = await old()
    const { transport, record } = await opened({ url: server.url, headers: { x: '1' } })
    transport.send(request(1, 'initialize'))
    await record.failure(1)
    await transport.fallBack(never)
    transport.send(request(2, 'initialize'))
    await record.answer(2)
    transport.send(notification('notifications/initialized'))
    transport.send(request(3))
    await record.answer(3)
    expect(server.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /mcp',
      'GET /mcp',
      ...Array(3).fill('POST /messages?session=1'),
    ])
    expect(server.seen.map(({ headers }) => headers.x)).toEqual(Array(5).fill('1'))
    expect(record.names).toEqual(['failed', 'message', 'message'])
  })

  it.each(['messages', './messages', 'http://127.0.0.1:PORT/messages'])(
    'understands the endpoint %s',
    async (url) => {
      const server = await serve((_, response) => {
        stream(response)
        response.write(endpoint(url.replace('PORT', String(server.port))))
      })
      const { transport } = await opened(server.url)
      await transport.fallBack(never)
      transport.send(request(1))
      expect((await server.request(isPost)).url).toBe('/messages')
    },
  )

  it.each([
    ['http://localhost:1/messages', /sent to http:\/\/localhost:1, which is not its own origin/],
    ['//elsewhere/messages', /sent to http:\/\/elsewhere, which/],
    ['file:///etc', /sent to file:, which/],
    ['http://', /which is not its own origin/],
  ])('refuses the endpoint %s', async (url, reason) => {
    const { transport } = await opened((await old(url)).url)
    const falling = transport.fallBack(never)
    await expect(falling).rejects.toThrow(HttpError)
    await expect(falling).rejects.toThrow(reason)
  })

  it.each([
    [404, HttpError],
    [405, HttpError],
    [500, HttpError],
    [401, AuthorizationError],
  ])('fails where a GET is answered with %d', async (status, kind) => {
    const server = await serve((_, response) => response.writeHead(status).end())
    const { transport, record } = await opened(server.url)
    await expect(transport.fallBack(never)).rejects.toThrow(kind)
    expect(record.heard).toEqual([])
  })

  it('fails where a GET is answered with a page, or with a stream that ends', async () => {
    const answers: Handler[] = [
      (_, response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<html>'),
      (_, response) => {
        stream(response)
        response.end(': nothing\n\n')
      },
    ]
    const server = await serve((asked, response) => answers.shift()?.(asked, response))
    const { transport } = await opened(server.url)
    await expect(transport.fallBack(never)).rejects.toThrow(/something else than an event stream \(200\)/)
    await expect(transport.fallBack(never)).rejects.toThrow(/ended before it named its endpoint/)
  })

  it('does not wait for ever', async () => {
    const server = await serve((_, response) => stream(response))
    const { transport, clock } = await openedInTime({ url: server.url, connectTimeoutMs: 3000 })
    const falling = transport.fallBack(never)
    falling.catch(() => {})
    const { left } = await server.request(isGet)
    await clock.pass(3000)
    await expect(falling).rejects.toThrow(/named no endpoint within 3000 ms/)
    await left
  })

  it.each(['aborted', 'closed'])('can be %s', async (how) => {
    const server = await serve((_, response) => stream(response))
    const { transport } = await opened(server.url)
    const abort = new AbortController()
    const falling = transport.fallBack(abort.signal)
    falling.catch(() => {})
    const { left } = await server.request(isGet)
    if (how === 'aborted') abort.abort()
    else await transport.close()
    await expect(falling).rejects.toThrow(TransportClosedError)
    await left
  })
})

describe('the handshake over HTTP+SSE', () => {
  /** Answers the notification that ends the handshake by `answer`; everything else is taken. */
  const handshake = (answer: Handler) =>
    old('/messages', (asked, response) => {
      if (asked.message.method === 'notifications/initialized') answer(asked, response)
      else response.writeHead(202).end()
    })
  const methods = ({ seen }: Awaited<ReturnType<typeof old>>): unknown[] =>
    seen.filter(isPost).map(({ message }) => message.method)
  const initialized = 'notifications/initialized'

  it.each([202, 200, 404, 500])('is over before any call is sent: %d', async (status) => {
    let others = 0
    const server = await handshake((_, response) => {
      others = server.seen.length
      response.writeHead(status).end()
    })
    const { transport } = await fallenBack(server)
    transport.send(notification(initialized))
    transport.send(request(1))
    transport.send(notification('notifications/x'))
    await server.request(isPost, 2)
    expect(others).toBe(2)
    expect(methods(server)[0]).toBe(initialized)
    expect(methods(server).slice(1).sort()).toEqual(['notifications/x', 'tools/call'])
  })

  it('holds calls back for ten seconds and no longer', async () => {
    const server = await handshake(() => {})
    const { transport, clock } = await openedInTime(server.url)
    await transport.fallBack(never)
    transport.send(notification(initialized))
    transport.send(request(1))
    await server.request(isPost)
    await clock.pass(10_000)
    await server.request(isPost, 1)
    expect(methods(server)).toEqual([initialized, 'tools/call'])
  })

  it('that ends with the stream fails what waits for it', async () => {
    const server = await handshake(() => {})
    const { transport, record } = await fallenBack(server)
    transport.send(notification(initialized))
    transport.send(request(1))
    await server.request(isPost)
    const { response } = await server.request(isGet)
    response.end()
    await record.next('closed')
    expect(record.names).toEqual(['failed', 'closed'])
    expect(record.all('failed')).toMatchObject([{ id: 1, wasRefused: true }])
    expect(methods(server)).toEqual([initialized])
  })
})

describe('the HTTP+SSE wire', () => {
  it('fails a request whose POST is refused, and only that', async () => {
    const server = await old('/messages', ({ message }, response) => {
      if (message.id === 1) response.writeHead(400).end()
      else response.writeHead(202).end()
    })
    const { transport, record } = await fallenBack(server)
    transport.send(request(1))
    transport.send(request(2))
    expect(await record.failure(1)).toMatchObject({ failure: { status: 400 } })
    await server.request(isPost, 1)
    expect(record.names).toEqual(['failed'])
  })

  it('takes an answer from the response to a POST, too', async () => {
    const server = await old('/messages', ({ message }, response) => response.end(result(message.id)))
    const { transport, record } = await fallenBack(server)
    transport.send(request(1))
    await record.answer(1)
    expect(record.names).toEqual(['message'])
  })

  it('ends with its stream: what is open fails, and it is closed', async () => {
    const server = await old('/messages', (_, response) => response.writeHead(202).end())
    const { transport, record } = await fallenBack(server)
    for (const id of [1, 2]) transport.send(request(id))
    await server.request(isPost, 1)
    const { response } = await server.request(isGet)
    response.end()
    const { failure } = await record.next('closed')
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure?.message).toMatch(/its event stream ended/)
    expect(record.names).toEqual(['failed', 'failed', 'closed'])
    expect(record.all('failed').map(({ wasRefused }) => wasRefused)).toEqual([false, false])
    transport.send(request(3))
    await transport.close()
    expect(record.names).toHaveLength(3)
  })

  it('lets go of a request that is abandoned', async () => {
    const server = await old('/messages', (_, response) => response.writeHead(202).end())
    const { transport, record } = await fallenBack(server)
    transport.send(request(1))
    await server.request(isPost)
    transport.abandon(1)
    const { response } = await server.request(isGet)
    response.destroy()
    await record.next('closed')
    expect(record.names).toEqual(['closed'])
  })

  it('loses only the call whose answer is over the limit', async () => {
    const server = await old('/messages', async ({ message }, response) => {
      response.writeHead(202).end()
      const { response: channel } = await server.request(isGet)
      channel.write(event(result(message.id, message.id === 1 ? { text: 'x'.repeat(5000) } : {})))
    })
    const { transport, record } = await fallenBack(server, { maxMessageBytes: 1000 })
    transport.send(request(1))
    expect(await record.next('oversize')).toMatchObject({ id: 1 })
    transport.send(request(2))
    await record.answer(2)
  })
})
