import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { HttpError } from '../../../src/errors.ts'
import { startRechunk } from '../../fixtures/proxies/rechunk.ts'
import { event, type Handler, json, listening, opened, request, result, serve } from './harness.ts'

const answer = result(1, { text: 'ünïcödé 🎭' })

function answerWith(headers: Record<string, string | number>, body: string): Handler {
  return (_, response) => response.writeHead(200, headers).end(body)
}

const answers = {
  'JSON with a length': answerWith(
    { 'content-type': 'application/json', 'content-length': Buffer.byteLength(answer) },
    answer,
  ),
  'JSON in chunks': answerWith({ 'content-type': 'application/json' }, answer),
  'an event stream': answerWith({ 'content-type': 'text/event-stream' }, `: hi\n\n${event(answer)}`),
  'an event stream with CRLF': answerWith(
    { 'content-type': 'text/event-stream' },
    event(answer, { event: 'message' }).replaceAll('\n', '\r\n'),
  ),
}

/** A server of raw bytes: what it answers to each request, by connection. */
async function rawServer(
  answerTo: (socket: Socket, nth: number) => void,
): Promise<{ url: string; seen: string[] }> {
  const sockets: Socket[] = []
  const seen: string[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).on('data', (data) => answerTo(socket, seen.push(data.toString())))
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return { url: `http://127.0.0.1:${await listening(server)}/mcp`, seen }
}

describe('an answer that arrives', () => {
  describe.each(Object.entries(answers))('as %s', (_, handler) => {
    it.each(['bytes', 'whole'] as const)('in %s is the same', async (delivery) => {
      const server = await serve((asked, response) => {
        if (delivery === 'whole') response.setHeader('connection', 'close')
        handler(asked, response)
      })
      const proxy = await startRechunk(server.port, delivery)
      onTestFinished(() => proxy.close())
      const { transport, record } = await opened(`http://127.0.0.1:${proxy.port}/mcp`)
      transport.send(request(1))
      expect((await record.next('message')).text).toBe(answer)
    })
  })

  it('cut at any byte either fails the call once, or was complete', async () => {
    const outcomes: string[] = []
    for (const handler of Object.values(answers)) {
      const server = await serve(handler)
      // 400 bytes are more than any of them has.
      // Cut before the first, it may break before anything is sent.
      for (let cutAfter = 1; cutAfter <= 400; cutAfter += 7) {
        const proxy = await startRechunk(server.port, { cutAfter })
        const { transport, record } = await opened(`http://127.0.0.1:${proxy.port}/mcp`)
        transport.send(request(1))
        const first = await record.until(({ heard }) => heard.find(({ event }) => event !== 'noise'))
        if (first.event === 'failed') {
          expect(first).toMatchObject({ id: 1, failure: expect.any(HttpError), wasRefused: false })
          expect(first.failure.message).toMatch(/127\.0\.0\.1:\d+(: the connection| ended its stream)/)
        } else expect(first).toMatchObject({ event: 'message', text: answer })
        expect(record.heard).toHaveLength(1)
        outcomes.push(first.event)
        await transport.close()
        proxy.close()
      }
      server.close()
    }
    expect(new Set(outcomes)).toEqual(new Set(['failed', 'message']))
  })
})

describe('a connection that breaks before any answer', () => {
  const ok = (id: number): string => {
    const body = result(id)
    return `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`
  }

  it.each(['tools/list', 'resources/read', 'initialize', 'server/discover', 'ping'])(
    'is tried once more for %s, which changes nothing',
    async (method) => {
      const { url, seen } = await rawServer((socket, nth) => {
        if (nth === 1) socket.resetAndDestroy()
        else socket.write(ok(1))
      })
      const { transport, record } = await opened(url)
      transport.send(request(1, method))
      await record.answer(1)
      expect(seen).toHaveLength(2)
      expect(record.names).toEqual(['message'])
    },
  )

  it.each(['resets', 'ends'])('fails a call the server may have acted on, when it %s', async (how) => {
    const { url, seen } = await rawServer((socket) =>
      how === 'resets' ? socket.resetAndDestroy() : socket.end(),
    )
    const { transport, record } = await opened(url)
    transport.send(request(1, 'tools/call'))
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toMatchObject({ status: 0 })
    expect(failure.message).toMatch(/the connection was closed before an answer came/)
    expect(wasRefused).toBe(false)
    expect(seen).toHaveLength(1)
  })

  it('is not tried a third time', async () => {
    const { url, seen } = await rawServer((socket) => socket.destroy())
    const { transport, record } = await opened(url)
    transport.send(request(1, 'tools/list'))
    await record.failure(1)
    expect(seen).toHaveLength(2)
  })

  it('and was idle before costs a call nothing when the server had closed it', async () => {
    const { url } = await rawServer((socket) => socket.end(ok(1)))
    const { transport, record } = await opened(url)
    for (let call = 1; call <= 5; call++) {
      transport.send(request(1))
      await record.next('message', call - 1)
    }
    expect(record.all('failed')).toEqual([])
  })

  it('in the middle of its head is not tried again', async () => {
    const { url, seen } = await rawServer((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Ty'))
    const { transport, record } = await opened(url)
    transport.send(request(1, 'tools/call'))
    await record.failure(1)
    expect(seen).toHaveLength(1)
  })

  it('or with something that is no HTTP says so', async () => {
    const { url } = await rawServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'))
    const { transport, record } = await opened(url)
    transport.send(request(1))
    expect((await record.failure(1)).failure.message).toMatch(/what answers does not speak HTTP/)
  })
})

describe('one broken exchange', () => {
  it('leaves the others alone', async () => {
    const server = await serve(({ message }, response) => {
      if (message.id === 1) response.destroy()
      else json(response, result(message.id))
    })
    const { transport, record } = await opened(server.url)
    for (const id of [1, 2, 3]) transport.send(request(id))
    await record.failure(1)
    await record.answer(2)
    await record.answer(3)
    expect(record.all('failed')).toHaveLength(1)
  })
})
