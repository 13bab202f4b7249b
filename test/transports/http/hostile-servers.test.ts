import { createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { event, type Handler, listening, opened, request, result, serve, stream } from './harness.ts'

/** Answers each connection so, in raw bytes. */
async function raw(answer: (socket: Socket) => void): Promise<string> {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).once('data', () => answer(socket))
  })
  onTestFinished(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${await listening(server)}/mcp`
}

/** `head`, then `text` again and again until the client is gone. */
function endless(head: string, text: string): (socket: Socket) => void {
  return (socket) => {
    const go = (): void => {
      while (!socket.destroyed && socket.write(text));
    }
    socket.on('drain', go).write(head)
    go()
  }
}

const long = 'x'.repeat(1000)
const ok = 'HTTP/1.1 200 OK\r\n'
const events = `${ok}content-type: text/event-stream\r\n\r\n`

describe('an answer without end', () => {
  it.each<readonly [string, (socket: Socket) => void, RegExp]>([
    ['headers', endless(ok, `x: ${long}\r\n`), /headers of its answer are larger/],
    ['one header', endless(`${ok}x: `, long), /headers of its answer are larger/],
    [
      'trailers',
      endless(`${ok}transfer-encoding: chunked\r\n\r\n0\r\n`, `x: ${long}\r\n`),
      /headers of its answer/,
    ],
    ['status 100', endless('', 'HTTP/1.1 100 Continue\r\n\r\n'), /closed before an answer came/],
    ['status 103', endless('', 'HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n'), /status 103 without end/],
    ['a refusal', endless('HTTP/1.1 500 Oh\r\n\r\n', long), /failed \(500\)/],
    [
      'a redirect',
      endless('HTTP/1.1 307 Oh\r\nlocation: /x\r\n\r\n', long),
      /redirects with an endless page/,
    ],
  ])('(%s) fails its request', async (_, answer, reason) => {
    const { transport, record } = await opened(await raw(answer))
    transport.send(request(1))
    expect((await record.failure(1)).failure.message).toMatch(reason)
    expect(record.names).toEqual(['failed'])
  })

  it.each([
    ['JSON', endless(`${ok}content-type: application/json\r\n\r\n`, long)],
    ['a comment', endless(`${events}:`, long)],
    ['the type of an event', endless(`${events}event: `, long)],
    ['an event without data', endless(events, 'data:\n'.repeat(1000))],
  ])('(%s) is too large', async (_, answer) => {
    const { transport, record } = await opened({ url: await raw(answer), maxMessageBytes: 100_000 })
    transport.send(request(1))
    expect(await record.next('oversize')).toMatchObject({ id: 1 })
    expect(record.names).toEqual(['oversize'])
  })
})

describe('an answer that is not what it seems', () => {
  const page =
    (headers: { readonly [name: string]: string }, body: string | Buffer, status = 200): Handler =>
    (_, response) =>
      response.writeHead(status, headers).end(body)
  const json = { 'content-type': 'application/json' }
  const nested = '['.repeat(200_000) + ']'.repeat(200_000)

  it.each<readonly [string, Handler, RegExp]>([
    [
      'compressed',
      page({ ...json, 'content-encoding': 'gzip' }, Buffer.of(0x1f, 0x8b, 8)),
      /in gzip, which was not asked/,
    ],
    ['events called JSON', page(json, event(result(1))), /application\/json that is no JSON-RPC/],
    [
      'JSON called events',
      page({ 'content-type': 'text/event-stream' }, result(1)),
      /ended its stream before/,
    ],
    ['of no type', page({}, event(result(1))), /something that is no JSON-RPC/],
    ['nested deeper than a stack', page(json, nested), /is no JSON-RPC/],
    ['nested so, and a refusal', page(json, nested, 400), /did not understand the request/],
    ['nested so, and without an id', page(json, `{"jsonrpc":"2.0","result":${nested}}`), /is no JSON-RPC/],
    [
      'a stream with an id too large for a header',
      (_, response) => {
        stream(response)
        response.end(event('', { id: 'x'.repeat(4097) }))
      },
      /ended its stream before the answer/,
    ],
  ])('(%s) fails its request', async (_, answer, reason) => {
    const server = await serve(answer)
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    expect((await record.failure(1)).failure.message).toMatch(reason)
    expect(server.seen).toHaveLength(1)
  })
})
