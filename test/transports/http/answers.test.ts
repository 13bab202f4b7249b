import { describe, expect, it } from 'vitest'
import { AuthorizationError, HttpError } from '../../../src/errors.ts'
import {
  error,
  event,
  json,
  notification,
  opened,
  type Recorder,
  request,
  result,
  type SeenRequest,
  serve,
  stream,
} from './harness.ts'

/** The events of one request to a server that answers it so. */
async function ask(answer: Parameters<typeof serve>[0], id = 1): Promise<Recorder> {
  const { url } = await serve(answer)
  const { transport, record } = await opened(url)
  transport.send(request(id))
  await record.until(({ heard }) => heard[0])
  return record
}

describe('a request', () => {
  it('is one POST with the headers of user, hook, message and wire', async () => {
    const server = await serve(({ message }, response) => json(response, result(message.id)))
    const { transport, record } = await opened(
      { url: server.url, headers: { 'X-User': 'u', Authorization: 'old' } },
      { headers: async () => ({ authorization: 'Bearer fresh' }) },
    )
    const sent = request('a', 'tools/call', { name: 'x', text: 'ünïcödé 🎭' })
    transport.send({ ...sent, headers: { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Name': '' } })
    await record.answer('a')
    expect(server.seen).toHaveLength(1)
    expect(server.seen[0]).toMatchObject({ method: 'POST', url: '/mcp', text: sent.text })
    expect(server.seen[0]?.headers).toMatchObject({
      'x-user': 'u',
      authorization: 'Bearer fresh',
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-name': '',
      'content-length': String(Buffer.byteLength(sent.text)),
    })
    expect(server.seen[0]?.headers).not.toHaveProperty('mcp-session-id')
  })

  it('shares few connections with others, of which 64 go on at the same time', async () => {
    const waiting: (() => void)[] = []
    const server = await serve(({ message }, response) => {
      waiting.push(() => json(response, result(message.id)))
      if (waiting.length === 64) for (const answer of waiting.splice(0).reverse()) answer()
    })
    const { transport, record } = await opened(server.url)
    for (let id = 1; id <= 128; id++) transport.send(request(id))
    for (let id = 1; id <= 128; id++) await record.answer(id)
    expect(record.names).toEqual(Array(128).fill('message'))
  })

  it('waits for a connection where hundreds are under way, but an answer to the server does not', async () => {
    const held: (() => void)[] = []
    const server = await serve(({ message }, response) => {
      if ('method' in message) held.push(() => json(response, result(message.id)))
      else for (const answer of held.splice(0)) answer()
      if (!('method' in message)) response.writeHead(202).end()
    })
    const { transport, record } = await opened(server.url)
    for (let id = 1; id <= 300; id++) transport.send(request(id))
    await server.request(() => true, 255)
    transport.send({ kind: 'response', id: 'q', text: result('q') })
    await record.answer(256)
    transport.send({ kind: 'response', id: 'q', text: result('q') })
    await server.request(({ message }) => 'method' in message, 299)
    transport.send({ kind: 'response', id: 'q', text: result('q') })
    for (let id = 1; id <= 300; id++) await record.answer(id)
  })

  it.each(['initialize', 'ping', 'logging/setLevel', 'resources/unsubscribe', 'tasks/cancel'])(
    'waits behind no call when it is %s',
    async (method) => {
      const server = await serve(({ message }, response) => {
        if (message.method !== 'tools/call') json(response, result(message.id))
      })
      const { transport, record } = await opened(server.url)
      for (let id = 1; id <= 300; id++) transport.send(request(id))
      await server.request(() => true, 255)
      transport.send(request('quick', method))
      await record.answer('quick')
    },
  )

  it('takes one of few connections when it answers the server, however many it leaves open', async () => {
    const server = await serve(({ message }, response) => {
      if ('method' in message) json(response, result(message.id))
    })
    const { transport, record } = await opened(server.url)
    const isAnswer = ({ message }: SeenRequest): boolean => !('method' in message)
    for (let id = 1; id <= 100; id++) transport.send({ kind: 'response', id, text: result(id) })
    await server.request(isAnswer, 31)
    transport.send(request('call'))
    await record.answer('call')
    expect(server.seen.filter(isAnswer)).toHaveLength(32)
    for (let turn = 0; turn < 100; turn++) (await server.request(isAnswer, turn)).response.end()
    expect(new Set(server.seen.map(({ socket }) => socket)).size).toBeLessThanOrEqual(33)
  })

  it('is dropped when a thousand before it were not taken, until they are', async () => {
    let isTaking = false
    const server = await serve((_, response) => {
      if (isTaking) response.writeHead(202).end()
    })
    const { transport, record } = await opened(server.url)
    const answer = (id: number): void => transport.send({ kind: 'response', id, text: result(id) })
    for (let id = 1; id <= 1024; id++) answer(id)
    expect(record.names).toEqual([])
    answer(1025)
    expect(record.all('noise')).toMatchObject([
      { sample: expect.stringMatching(/^the answer to request 1025 was not delivered: .*takes no answers/) },
    ])
    await server.request(() => true, 31)
    isTaking = true
    for (const { response } of server.seen) response.writeHead(202).end()
    await server.request(() => true, 1023)
    answer(1026)
    await server.request(({ message }) => message.id === 1026)
    expect(record.names).toEqual(['noise'])
  })

  it('takes a connection that was used before', async () => {
    const server = await serve(({ message }, response) => json(response, result(message.id)))
    const { transport, record } = await opened(server.url)
    for (let id = 1; id <= 10; id++) {
      transport.send(request(id))
      await record.answer(id)
    }
    // A second, where the next comes before the client has looked whether the first is still good.
    expect(server.seen.filter(({ socket }) => socket > 1)).toEqual([])
  })

  it('fails before it is sent when its headers cannot be made', async () => {
    const server = await serve((_, response) => json(response, '{}'))
    const hook = async (): Promise<never> => {
      throw new Error('no token')
    }
    const { transport, record } = await opened(server.url, { headers: hook })
    transport.send(request(1))
    const { failure, wasRefused } = await record.failure(1)
    expect(failure.message).toMatch(/no token/)
    expect(wasRefused).toBe(true)
    expect(server.seen).toEqual([])
  })
})

describe('an answer in JSON', () => {
  it.each([
    'application/json',
    'Application/JSON; charset=utf-8',
    'text/plain',
    'application/octet-stream',
    undefined,
  ])('is taken from content of type %s', async (type) => {
    const text = ` ${result(1, { text: 'ünïcödé 🎭' })}\n`
    const record = await ask((_, response) =>
      response.writeHead(200, type ? { 'content-type': type } : {}).end(text),
    )
    expect(record.heard).toEqual([{ event: 'message', message: JSON.parse(text), text }])
  })

  it('may begin with a byte order mark and be a batch', async () => {
    const record = await ask((_, response) => json(response, `\uFEFF[${result(1)},${result(2)}]`))
    expect(record.messages).toEqual([
      [expect.objectContaining({ id: 1 }), expect.objectContaining({ id: 2 })],
    ])
  })

  it('to something else fails the request too', async () => {
    const record = await ask((_, response) => json(response, result('1')))
    const { failure, wasRefused } = await record.failure(1)
    expect(record.names).toEqual(['message', 'failed'])
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure.message).toMatch(
      /127\.0\.0\.1:\d+ answered the request with something that is no answer to it/,
    )
    expect(wasRefused).toBe(false)
  })

  it('that is an error without an id belongs to the request, under any status', async () => {
    const record = await ask((_, response) => json(response, error(null, -32700), 400))
    expect(record.messages).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32700, message: 'no' } }])
  })
})

describe('an answer on an event stream', () => {
  it('comes after what the server had to say before', async () => {
    const progress = JSON.stringify({ jsonrpc: '2.0', method: 'notifications/progress' })
    const question = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const record = await ask((_, response) => {
      stream(response, { 'content-type': 'Text/Event-Stream; charset=utf-8' })
      response.end(event(progress) + event(question) + event(result(1), { event: 'message' }))
    })
    await record.answer(1)
    expect(record.all('message').map(({ text }) => text)).toEqual([progress, question, result(1)])
  })

  it('is delivered while the stream goes on', async () => {
    const server = await serve((_, response) => {
      stream(response)
      response.write(event(result(1)))
    })
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    await record.answer(1)
  })

  it('may be the last thing before its end, even without an empty line', async () => {
    const record = await ask((_, response) => {
      stream(response)
      response.end(`data: ${result(1)}`)
    })
    expect(record.names).toEqual(['message'])
  })

  it.each(['<html>', '3', 'nul'])('is not %s', async (data) => {
    const record = await ask((_, response) => {
      stream(response)
      response.end(event(data))
    })
    await record.failure(1)
    expect(record.heard[0]).toEqual({ event: 'noise', sample: data })
  })

  it('that ends too early fails the request at once', async () => {
    const record = await ask((_, response) => {
      stream(response)
      response.end(': nothing to say\n\n')
    })
    const { failure, wasRefused } = await record.failure(1)
    expect(failure.message).toMatch(/127\.0\.0\.1:\d+ ended its stream before the answer/)
    expect(wasRefused).toBe(false)
  })
})

describe('a response that is no answer', () => {
  it.each([200, 202, 204])('like an empty %d fails the request', async (status) => {
    const record = await ask((_, response) => response.writeHead(status).end())
    expect((await record.failure(1)).failure).toMatchObject({ name: 'HttpError', status })
  })

  it('like a page fails the request and shows the page', async () => {
    const record = await ask((_, response) =>
      response.writeHead(500, { 'content-type': 'text/html' }).end('<h1>Oh</h1>'),
    )
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toMatchObject({ status: 500, bodyTail: '<h1>Oh</h1>' })
    expect(wasRefused).toBe(false)
  })

  it('like 401 says what the server wants', async () => {
    const record = await ask((_, response) =>
      response.writeHead(401, { 'www-authenticate': 'Bearer x="y"' }).end(),
    )
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure).toMatchObject({ status: 401, challenge: 'Bearer x="y"' })
    expect(wasRefused).toBe(true)
  })

  it.each([
    ['says its length', true],
    ['does not', false],
  ])('like a huge page that %s is not read to its end', async (_, saysLength) => {
    const page = Buffer.alloc(50_000_000, 'x')
    const record = await ask((_, response) => {
      response.writeHead(502, saysLength ? { 'content-length': page.length } : {}).end(page)
    })
    const { failure } = await record.failure(1)
    expect(failure).toMatchObject({ status: 502 })
  })
})

describe('an answer over the limit', () => {
  const large = result(1, { text: 'x'.repeat(2000) })

  it.each([
    [
      'as JSON that says its length',
      { 'content-type': 'application/json', 'content-length': large.length },
      large,
    ],
    ['as JSON', { 'content-type': 'application/json' }, large],
    ['on a stream', { 'content-type': 'text/event-stream' }, event(large)],
  ])('%s is discarded, and others go on', async (_, headers, body) => {
    const server = await serve(({ message }, response) => {
      if (message.id === 1) response.writeHead(200, headers).end(body)
      else json(response, result(2))
    })
    const { transport, record } = await opened({ url: server.url, maxMessageBytes: 1000 })
    transport.send(request(1))
    expect(await record.next('oversize')).toEqual({ event: 'oversize', id: 1, maxMessageBytes: 1000 })
    transport.send(request(2))
    await record.answer(2)
    expect(record.names).toEqual(['oversize', 'message'])
  })

  it('does not stop one of many megabytes below it', async () => {
    const text = result(1, { text: 'ü'.repeat(10_000_000) })
    const { url } = await serve((_, response) => json(response, text))
    const { transport, record } = await opened(url)
    transport.send(request(1))
    expect((await record.next('message')).text).toBe(text)
  })
})

describe('a message without an answer', () => {
  it.each([
    ['a notification', notification('notifications/x')],
    ['an answer to the server', { kind: 'response', id: 's', text: result('s') } as const],
  ])('%s is taken with 202, 204 or 200', async (_, message) => {
    const statuses = [202, 204, 200]
    const server = await serve((_, response) =>
      response.writeHead(statuses[server.seen.length - 1] ?? 500).end(),
    )
    const { transport, record } = await opened(server.url)
    for (const index of statuses.keys()) {
      transport.send(message)
      await server.request(() => true, index)
    }
    expect(record.heard).toEqual([])
    transport.send(message)
    expect((await record.next('noise')).sample).toMatch(/was not delivered: 127\.0\.0\.1:\d+ failed \(500\)/)
  })
})
