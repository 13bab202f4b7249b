import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ConfigError, TransportClosedError } from '../../../src/errors.ts'
import { HttpTransport } from '../../../src/transports/http/http-transport.ts'
import {
  event,
  json,
  listening,
  never,
  opened,
  openedInTime,
  Recorder,
  request,
  result,
  serve,
  stream,
} from './harness.ts'

describe('opening', () => {
  it('makes no request', async () => {
    const server = await serve((_, response) => json(response, '{}'))
    const { transport } = await opened(server.url)
    await transport.close()
    expect(server.seen).toEqual([])
  })

  it.each([
    [{ url: 'nonsense' }, ['url']],
    [{ url: 'https://me:hush@example.com' }, ['url']],
    [{ url: 'http://localhost', headers: { accept: 'x' } }, ['headers', 'accept']],
  ])('%j is refused', async (options, path) => {
    const record = new Recorder()
    const transport = new HttpTransport(options)
    const refusal = await transport.open(record, never).catch((error: unknown) => error)
    expect(refusal).toBeInstanceOf(ConfigError)
    expect(refusal).toMatchObject({ path })
    expect(transport.target).not.toMatch(/hush/)
    await transport.close()
    expect(record.heard).toEqual([])
  })

  it('happens once', async () => {
    const { transport, record } = await opened('http://localhost:1')
    await expect(transport.open(record, never)).rejects.toThrow(/opened once/)
  })

  it.each(['aborted', 'closed'])('that was %s leaves nothing behind', async (how) => {
    const record = new Recorder()
    const abort = new AbortController()
    const transport = new HttpTransport({ url: 'http://localhost:1' })
    const opening = transport.open(record, abort.signal)
    if (how === 'aborted') abort.abort()
    else void transport.close()
    await expect(opening).rejects.toThrow(TransportClosedError)
    transport.send(request(1))
    await transport.close()
    expect(record.heard).toEqual([])
  })

  it('works with options that crossed a thread', async () => {
    const server = await serve(({ message }, response) => json(response, result(message.id)))
    const { transport, record } = await opened(structuredClone({ url: server.url, headers: { x: '1' } }))
    transport.send(request(1))
    await record.answer(1)
    expect(transport.target).toBe(server.url)
    expect(transport.carriesHeaders).toBe(true)
  })
})

describe('abandoning a request', () => {
  it('ends its exchange, and nothing is heard of it', async () => {
    const server = await serve(() => {})
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    const { left } = await server.request(() => true)
    transport.abandon(1)
    await left
    expect(record.heard).toEqual([])
  })

  it('holds also for what had arrived with the message that made one abandon it', async () => {
    const server = await serve((_, response) => {
      stream(response)
      response.write(event('{"jsonrpc":"2.0","method":"a"}') + event('{"jsonrpc":"2.0","method":"b"}'))
    })
    const { transport, record } = await opened(server.url)
    record.onMessage = () => transport.abandon(1)
    transport.send(request(1))
    await (await server.request(() => true)).left
    expect(record.names).toEqual(['message'])
  })

  it('before it was sent sends nothing', async () => {
    const server = await serve(() => {})
    const { transport } = await opened(server.url)
    transport.send(request(1))
    transport.abandon(1)
    transport.send(request(2))
    await server.request(() => true)
    expect(server.seen.map(({ message }) => message.id)).toEqual([2])
  })

  it('leaves others alone, and does nothing to unknown ones', async () => {
    const server = await serve(({ message }, response) => {
      if (message.id !== 1) json(response, result(message.id))
    })
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    await server.request(() => true)
    transport.send(request(2))
    transport.abandon(1)
    transport.abandon('nobody')
    await record.answer(2)
    expect(record.heard).toHaveLength(1)
  })
})

describe('a server that is silent', () => {
  it.each([
    ['before its head', () => {}],
    ['after its head', (response: Parameters<typeof stream>[0]) => stream(response)],
  ])('%s for idleTimeoutMs fails the request', async (_, begin) => {
    const server = await serve((_, response) => begin(response))
    const { transport, record, clock } = await openedInTime({ url: server.url, idleTimeoutMs: 5000 })
    transport.send(request(1))
    const { left } = await server.request(() => true)
    await clock.pass(5000)
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toMatchObject({ status: 0 })
    expect(failure.message).toMatch(/was silent for 5000 ms \(idleTimeoutMs\)/)
    expect(wasRefused).toBe(false)
    await left
  })

  it('is forgiven with every byte', async () => {
    const server = await serve((_, response) => stream(response))
    const { transport, record, clock } = await openedInTime({ url: server.url, idleTimeoutMs: 5000 })
    transport.send(request(1))
    const { response } = await server.request(() => true)
    for (let word = 0; word < 3; word++) {
      clock.advance(4000)
      response.write(event('{"jsonrpc":"2.0","method":"n"}'))
      await record.next('message', word)
    }
    response.end(event(result(1)))
    await record.answer(1)
  })

  it('may be so for ever by default', async () => {
    const server = await serve(() => {})
    const { transport, clock } = await openedInTime(server.url)
    transport.send(request(1))
    await server.request(() => true)
    expect(clock.pending).toBe(0)
  })
})

describe('a stream that goes on after the answer', () => {
  it('is ended after a second', async () => {
    const server = await serve((_, response) => {
      stream(response)
      response.write(event(result(1)))
    })
    const { transport, record, clock } = await openedInTime(server.url)
    transport.send(request(1))
    await record.answer(1)
    await clock.pass(1000)
    await (await server.request(() => true)).left
    expect(record.names).toEqual(['message'])
  })

  it('leaves no timer behind when it ends by itself', async () => {
    const server = await serve((_, response) => {
      stream(response)
      response.end(event(result(1)))
    })
    const { transport, record } = await openedInTime(server.url)
    transport.send(request(1))
    await record.answer(1)
  })
})

describe('closing', () => {
  it('ends all exchanges without a word about them', async () => {
    const server = await serve(({ message }, response) => {
      if (message.id === 2) stream(response)
    })
    const { transport, record } = await opened(server.url)
    for (const id of [1, 2]) transport.send(request(id))
    const lefts = [(await server.request(() => true)).left, (await server.request(() => true, 1)).left]
    await transport.close()
    await Promise.all(lefts)
    expect(record.heard).toEqual([{ event: 'closed', failure: undefined }])
  })

  it('ends also what is only connecting', async () => {
    // It accepts, but never begins to speak TLS.
    const server = createServer()
    const port = await listening(server)
    onTestFinished(() => void server.close())
    const { transport, record } = await opened(`https://127.0.0.1:${port}/mcp`)
    transport.send(request(1))
    const [socket] = (await once(server, 'connection')) as [Socket]
    const left = once(socket.on('error', () => {}).resume(), 'close')
    await transport.close()
    await left
    expect(record.names).toEqual(['closed'])
  })

  it('happens once, however often it is asked for', async () => {
    const { transport, record } = await opened('http://localhost:1')
    await Promise.all([transport.close(), transport.close()])
    await transport.close()
    transport.send(request(1))
    expect(record.names).toEqual(['closed'])
  })

  it('may come from within a message', async () => {
    const server = await serve((_, response) => {
      stream(response)
      response.write(event('{"jsonrpc":"2.0","method":"a"}') + event('{"jsonrpc":"2.0","method":"b"}'))
    })
    const { transport, record } = await opened(server.url)
    record.onMessage = () => void transport.close()
    transport.send(request(1))
    await record.next('closed')
    expect(record.names).toEqual(['message', 'closed'])
  })
})
