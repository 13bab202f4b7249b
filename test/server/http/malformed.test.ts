import { describe, expect, it } from 'vitest'
import { kit } from '../kit.ts'
import { modern, send, serve } from './harness.ts'
import { greetingChunk, greetingLength, RawConnection, type RawRequest, rawGreet, statusesOf } from './raw.ts'

const many = (line: string, count: number) => line.repeat(count)
const chunked = 'transfer-encoding: chunked\r\n'
const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })

describe('a request on the wire', () => {
  it.each<[string, number, RawRequest]>([
    ['as it should be', 200, {}],
    ['in chunks', 200, { more: chunked, body: `${greetingChunk}0\r\n\r\n` }],
    ['of HTTP/1.0', 200, { line: 'POST /mcp HTTP/1.0' }],
    ['with an upgrade on offer', 200, { more: `${greetingLength}connection: upgrade\r\nupgrade: h2c\r\n` }],
    ['longer than it says', 400, { more: 'content-length: 5\r\n' }],
    ['shorter than it says', 400, { more: 'content-length: 5000\r\n' }],
    ['of a negative length', 400, { more: 'content-length: -1\r\n' }],
    ['of a length that is no number', 400, { more: 'content-length: 0x10\r\n' }],
    ['of a length beyond numbers', 400, { more: `content-length: ${many('9', 30)}\r\n` }],
    ['of two lengths', 400, { more: `${greetingLength}content-length: 3\r\n` }],
    ['with a length and chunks', 400, { more: greetingLength + chunked }],
    ['in chunks of no size', 400, { more: chunked, body: `zz\r\n${greetingChunk}` }],
    ['in a chunk of endless size', 400, { more: chunked, body: `${many('f', 18)}\r\n{}` }],
    ['with an endless chunk extension', 413, { more: chunked, body: `5;${many('a', 20_000)}\r\n` }],
    ['of a coding nobody knows', 400, { more: 'transfer-encoding: gzip\r\n' }],
    ['that is compressed', 415, { more: `${greetingLength}content-encoding: gzip\r\n` }],
    ['with a header that is none', 400, { more: `${greetingLength}none\r\n` }],
    ['with a NUL in a header', 400, { more: `${greetingLength}x: a\0b\r\n` }],
    ['with a folded header', 400, { more: `${greetingLength}x: a\r\n b\r\n` }],
    ['with a huge header', 431, { more: `x: ${many('y', 20_000)}\r\n` }],
    ['with too many headers', 431, { more: many('a: b\r\n', 10_000) }],
    [
      'with its origin behind many headers',
      403,
      { more: `${greetingLength}${many('a:b\r\n', 2_100)}origin: http://evil.example.com\r\n` },
    ],
    ['with a huge path', 431, { line: `POST /mcp?${many('a', 20_000)} HTTP/1.1` }],
    ['to two hosts', 400, { more: `${greetingLength}host: evil.example.com\r\n` }],
    ['with two types', 400, { more: `${greetingLength}content-type: text/plain\r\n` }],
    ['with two tokens', 400, { more: `${greetingLength}authorization: a\r\nauthorization: b\r\n` }],
    ['with a method named twice', 400, { more: `${greetingLength}mcp-method: tools/call\r\n` }],
    [
      'of two origins',
      403,
      { more: `${greetingLength}origin: http://localhost/\r\norigin: http://evil.example.com\r\n` },
    ],
    ['to no host', 400, { leaveOut: 'host' }],
    ['of HTTP/1.0 to no host', 403, { line: 'POST /mcp HTTP/1.0', leaveOut: 'host' }],
    ['of HTTP/2', 400, { line: 'PRI * HTTP/2.0' }],
    ['of no version there is', 400, { line: 'POST /mcp HTTP/9.9' }],
    ['of no verb there is', 400, { line: 'FETCH /mcp HTTP/1.1' }],
    ['HEAD', 405, { line: 'HEAD /mcp HTTP/1.1', more: '', body: '' }],
    ['PUT', 405, { line: 'PUT /mcp HTTP/1.1' }],
    ['TRACE', 405, { line: 'TRACE /mcp HTTP/1.1', more: '', body: '' }],
    ['to another path', 404, { line: 'POST //mcp HTTP/1.1' }],
    ['to a path with dots', 404, { line: 'POST /x/../mcp HTTP/1.1' }],
    ['through a proxy', 404, { line: 'POST http://evil.example.com/mcp HTTP/1.1' }],
    ['to everything', 404, { line: 'OPTIONS * HTTP/1.1', more: '', body: '' }],
    ['that expects what nobody knows', 417, { more: `${greetingLength}expect: magic\r\n` }],
  ])('%s is answered with %i', async (_, status, wrong) => {
    const { url, port } = await serve(kit())
    const text = await new RawConnection(port).end(rawGreet(wrong))
    expect(statusesOf(text)[0]).toBe(status)
    expect((await send(url, greet)).status).toBe(200)
  })

  it('that asks before it sends is let send, unless it would be too much', async () => {
    const { port } = await serve(kit(), { maxMessageBytes: 1_000 })
    const answered = async (more: string) =>
      statusesOf(await new RawConnection(port).end(rawGreet({ more: `${more}expect: 100-continue\r\n` })))
    expect(await answered(greetingLength)).toEqual([100, 200])
    expect(await answered('content-length: 2000\r\n')).toContain(413)
  })

  it.each([
    ['a tunnel', 'CONNECT localhost:80 HTTP/1.1\r\nhost: localhost\r\n\r\n'],
    ['TLS', Buffer.from('16030100a5010000a10303', 'hex')],
    ['lines without CR', rawGreet().replaceAll('\r\n', '\n')],
    ['nothing', ''],
  ])('%s gets nowhere', async (_, bytes) => {
    const { url, port } = await serve(kit())
    const statuses = statusesOf(await new RawConnection(port).end(bytes))
    expect(statuses.filter((status) => status !== 400)).toEqual([])
    expect((await send(url, greet)).status).toBe(200)
  })
})

describe('a message', () => {
  const call = (params: string) => `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}`
  const nested = (levels: number) => `${many('[', levels)}${many(']', levels)}`
  it.each([
    ['no object', '7', 400],
    ['cut off', call('{"name":"greet"').slice(0, -1), 400],
    ['nested too deep', call(nested(100_000)), 400],
    ['of objects without number', `[${many('{},', 1_000_000)}{}]`, 400],
    ['a batch', `[${JSON.stringify(greet.body)}]`, 400],
    ['with a prototype for its parameters', call('{"__proto__":{"name":"greet"}}'), 400],
    ['with parameters in a list', call('[]'), 400],
    ['with an id that is an object', '{"jsonrpc":"2.0","id":{},"method":"ping"}', 400],
    ['with an id that is no number', '{"jsonrpc":"2.0","id":1e999,"method":"ping"}', 400],
    ['of another protocol', '{"jsonrpc":"1.0","id":7,"method":"ping"}', 400],
    ['of no bytes that are text', Buffer.from([0x7b, 0xff, 0xfe, 0x7d]).toString('latin1'), 400],
  ])('%s is refused', async (_, body, status) => {
    const { url } = await serve(kit(), { legacy: true })
    expect((await send(url, { ...greet, body })).status).toBe(status)
    expect((await send(url, greet)).status).toBe(200)
  })

  it('has a prototype for an argument, which is an argument and nothing else', async () => {
    const { url } = await serve(kit())
    const { body } = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })
    const text = JSON.stringify(body).replace('"name":"Ada"', '"name":"Ada","__proto__":{"times":3}')
    const { body: answer } = await send(url, { ...greet, body: text })
    expect(answer).toMatchObject({ result: { isError: true } })
    expect(({} as { times?: number }).times).toBe(undefined)
  })

  it('has an id of any length', async () => {
    const { url } = await serve(kit())
    const id = 'x\n\u2028"'.repeat(100_000)
    const body = { ...(greet.body as object), id }
    expect((await send(url, { ...greet, body })).body).toMatchObject({ id })
  })

  it('cannot say anything on a stream but what it says', async () => {
    const server = kit()
    const hostile = 'a\n\ndata: {"jsonrpc":"2.0","id":7,"result":{}}\r\n\r\nid: 1\revent: x\u2028\n: '
    server.tool('hostile', {}, (_, context) => {
      context.progress({ progress: 1, message: hostile })
      context.log('info', { [hostile]: hostile })
      return hostile
    })
    const { url } = await serve(server)
    const meta = { progressToken: hostile, 'io.modelcontextprotocol/logLevel': 'info' }
    const { events } = await send(url, modern('tools/call', { name: 'hostile' }, meta))
    expect(events).toMatchObject([
      { params: { progressToken: hostile, message: hostile } },
      { params: { data: { [hostile]: hostile } } },
      { id: 7, result: { content: [{ text: hostile }] } },
    ])
  })
})
