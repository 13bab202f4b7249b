import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpListener, McpServer, serveHttp } from '../../../src/server/index.ts'
import { deferred } from '../../model/deferred.ts'
import { kit } from '../kit.ts'
import { modern, send, serve } from './harness.ts'

const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })

describe('a modern request', () => {
  it('is answered with one JSON object when nothing came before its answer', async () => {
    const { url } = await serve(kit())
    const { status, headers, body } = await send(url, greet)
    expect([status, headers['content-type'], headers['mcp-session-id']]).toEqual([
      200,
      'application/json',
      undefined,
    ])
    expect(body).toMatchObject({
      id: 7,
      result: { content: [{ text: 'Hello, Ada!' }], resultType: 'complete' },
    })
  })

  it('is answered with a stream when something did, if its client takes streams', async () => {
    const { url } = await serve(kit())
    const count = modern('tools/call', { name: 'count', arguments: { to: 2 } }, { progressToken: 'p' })
    const { headers, events } = await send(url, count)
    expect(headers).toMatchObject({ 'content-type': 'text/event-stream', 'x-accel-buffering': 'no' })
    expect(events.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      7,
    ])
    const plain = await send(url, { ...count, headers: { ...count.headers, accept: 'application/json' } })
    expect(plain.headers['content-type']).toBe('application/json')
    expect(plain.body).toMatchObject({ result: { resultType: 'complete' } })
  })

  it('that stays quiet for long is told that it is alive', async () => {
    const server = new McpServer({ name: 'slow' })
    const done = deferred<string>()
    server.tool('slow', {}, () => done.promise)
    const { url } = await serve(server, { keepAliveMs: 1 })
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        ...modern('tools/call', { name: 'slow' }).headers,
        'content-type': 'application/json',
        accept: 'text/event-stream',
      },
      body: JSON.stringify(modern('tools/call', { name: 'slow' }).body),
    })
    const decoder = new TextDecoder()
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk)
      if (text.includes(':')) done.resolve('done')
    }
    expect(text).toMatch(/^: still here\n\n/)
    expect(text).toContain('"done"')
  })

  it('whose client leaves is aborted', async () => {
    const server = new McpServer({ name: 'patient' })
    const begun = deferred<AbortSignal>()
    server.tool('wait', {}, (_, { signal }) => {
      begun.resolve(signal)
      return new Promise(() => {})
    })
    const { url } = await serve(server)
    const leave = new AbortController()
    const wanted = modern('tools/call', { name: 'wait' })
    const left = fetch(url, {
      method: 'POST',
      headers: { ...wanted.headers, 'content-type': 'application/json' },
      body: JSON.stringify(wanted.body),
      signal: leave.signal,
    }).catch(() => 'left')
    const signal = await begun.promise
    const aborted = new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    leave.abort()
    await aborted
    expect(await left).toBe('left')
  })

  const version = 'mcp-protocol-version'
  const key = (name: string) => `io.modelcontextprotocol/${name}`
  const discover = (meta = {}) => modern('server/discover', {}, meta)
  const withHeaders = (wanted: ReturnType<typeof modern>, headers: object) => ({
    ...wanted,
    headers: { ...wanted.headers, ...headers },
  })
  const read = (uri: string, header: string) =>
    withHeaders(modern('resources/read', { uri }), { 'mcp-name': header })
  it.each([
    ['no stamp', discover({ [key('protocolVersion')]: undefined }), 400, -32602],
    ['no capabilities', discover({ [key('clientCapabilities')]: undefined }), 400, -32602],
    ['no version header', withHeaders(discover(), { [version]: undefined }), 400, -32020],
    ['another version in the header', withHeaders(discover(), { [version]: '2025-11-25' }), 400, -32020],
    [
      'a stamp of another version than the header',
      discover({ [key('protocolVersion')]: 'v999' }),
      400,
      -32020,
    ],
    [
      'a version nobody speaks',
      withHeaders(discover({ [key('protocolVersion')]: 'v999' }), { [version]: 'v999' }),
      400,
      -32022,
    ],
    ['no method header', withHeaders(discover(), { 'mcp-method': undefined }), 400, -32020],
    ['another method in the header', withHeaders(discover(), { 'mcp-method': 'tools/list' }), 400, -32020],
    [
      'the method in other letters',
      withHeaders(discover(), { 'mcp-method': 'Server/Discover' }),
      400,
      -32020,
    ],
    ['no name header', withHeaders(greet, { 'mcp-name': undefined }), 400, -32020],
    ['another name in the header', withHeaders(greet, { 'mcp-name': 'fails' }), 400, -32020],
    ['a name that is no base64', read('kit://ä', '=?base64?a2l0Oi8vw6Q?='), 400, -32020],
    ['a name in base64', read('kit://text', '=?base64?a2l0Oi8vdGV4dA==?='), 200, undefined],
    ['blanks around a header', withHeaders(greet, { 'mcp-name': '  greet ' }), 200, undefined],
    ['a method there is not', modern('unknown/method'), 404, -32601],
    ['initialize with a stamp', modern('initialize'), 404, -32601],
    ['ping', modern('ping'), 404, -32601],
    ['a tool there is not', modern('tools/call', { name: 'none' }), 200, -32602],
    [
      'a handshake',
      { body: { jsonrpc: '2.0', id: 7, method: 'initialize', params: { protocolVersion: '2025-11-25' } } },
      400,
      -32022,
    ],
  ])('with %s', async (_, wanted, status, code) => {
    const { url } = await serve(kit({ protocolVersions: ['2026-07-28'] }))
    const answer = await send(url, wanted)
    expect([answer.status, (answer.body.error as { code?: number } | undefined)?.code]).toEqual([
      status,
      code,
    ])
    expect(answer.body.id).toBe(7)
  })

  it('has the arguments mirrored that its tool wants mirrored', async () => {
    const server = new McpServer({ name: 'mirror' })
    const properties = {
      text: { type: 'string', 'x-mcp-header': 'Text' },
      n: { type: 'integer', 'x-mcp-header': 'N' },
    }
    server.tool('show', { inputSchema: { type: 'object', properties } }, (args) => JSON.stringify(args))
    const { url } = await serve(server)
    const show = async (args: object, headers: object) => {
      const wanted = modern('tools/call', { name: 'show', arguments: args })
      return (await send(url, withHeaders(wanted, headers))).status
    }
    expect(await show({ text: 'Hello' }, { 'mcp-param-text': 'Hello' })).toBe(200)
    expect(await show({ text: 'Hello' }, { 'mcp-param-text': '=?base64?SGVsbG8=?=' })).toBe(200)
    expect(await show({ n: 42 }, { 'mcp-param-n': '42.0' })).toBe(200)
    expect(await show({ text: null }, {})).toBe(200)
    expect(await show({ text: 'Hello' }, {})).toBe(400)
    expect(await show({ text: 'Hello' }, { 'mcp-param-text': 'hello' })).toBe(400)
    expect(await show({ text: 'Hello' }, { 'mcp-param-text': '=?base64?SGVsbG8?=' })).toBe(400)
    expect(await show({ text: 'Hello' }, { 'mcp-param-text': '=?base64?SGVs!!!bG8=?=' })).toBe(400)
    expect(await show({}, { 'mcp-param-text': 'Hello' })).toBe(400)
  })
})

describe('the endpoint', () => {
  it.each([
    ['GET', { verb: 'GET' }, 405],
    ['DELETE', { verb: 'DELETE' }, 405],
    [
      'another type of content',
      { ...greet, headers: { ...greet.headers, 'content-type': 'text/plain' } },
      415,
    ],
    ['no type of content', { ...greet, headers: { ...greet.headers, 'content-type': undefined } }, 415],
    ['no JSON', { body: '{"jsonrpc"' }, 400],
    ['nothing', { body: '' }, 400],
    ['a batch', { body: '[]' }, 400],
    ['no message', { body: '{"jsonrpc":"2.0"}' }, 400],
    ['an answer to nothing', { body: '{"jsonrpc":"2.0","id":1,"result":{}}' }, 400],
    ['a notification', { body: '{"jsonrpc":"2.0","method":"notifications/any"}' }, 202],
    ['too much', { body: `{"jsonrpc":"2.0","id":1,"method":"${'x'.repeat(3_000)}"}` }, 413],
  ])('answers %s by status', async (_, wanted, status) => {
    const { url } = await serve(kit(), { maxMessageBytes: 2_000 })
    expect((await send(url, wanted)).status).toBe(status)
    expect((await send(url, greet)).status).toBe(200)
  })

  it('is nowhere but at its path', async () => {
    const { url, port } = await serve(kit(), { path: '/api/mcp/' })
    expect(url).toBe(`http://127.0.0.1:${port}/api/mcp`)
    expect((await send(`${url}?any`, greet)).status).toBe(200)
    expect((await send(`${url}/more`, greet)).status).toBe(404)
  })

  it('finishes what is under way when it closes, and takes nothing new', async () => {
    const server = new McpServer({ name: 'closing' })
    const begun = deferred<void>()
    const done = deferred<string>()
    server.tool('slow', {}, () => {
      begun.resolve()
      return done.promise
    })
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 60_000 })
    const answer = send(serving.url, modern('tools/call', { name: 'slow' }))
    await begun.promise
    const closed = serving.close()
    done.resolve('done')
    expect((await answer).body).toMatchObject({ result: { content: [{ text: 'done' }] } })
    await closed
    await expect(send(serving.url, greet)).rejects.toThrow('ECONNREFUSED')
  })

  it('aborts what goes on past its grace', async () => {
    const server = new McpServer({ name: 'stubborn' })
    const begun = deferred<AbortSignal>()
    server.tool('wait', {}, (_, { signal }) => {
      begun.resolve(signal)
      return new Promise(() => {})
    })
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 0 })
    const answer = send(serving.url, modern('tools/call', { name: 'wait' })).catch(() => 'cut off')
    const signal = await begun.promise
    await serving.close()
    expect([signal.aborted, await answer]).toEqual([true, 'cut off'])
  })

  it.each([
    { port: -1 },
    { host: '' },
    { keepAliveMs: 0 },
    { path: 'a?b' },
    { allowedOrigins: [7] },
    { allowedOrigins: ['app.example.com'] },
    { allowedOrigins: ['https://app.example.com/'] },
    { allowedOrigins: ['*'] },
    { allowedHosts: ['https://app.example.com'] },
    { allowedHosts: ['app.example.com:8080'] },
    { allowedHosts: ['App.example.com'] },
    { tls: true },
  ])('refuses the options %o', async (options) => {
    await expect(serveHttp(kit(), options as never)).rejects.toThrow(Object.keys(options)[0])
  })

  it('says so when its address is taken', async () => {
    const { port } = await serve(kit())
    await expect(serveHttp(kit(), { port })).rejects.toThrow(`port: cannot listen on 127.0.0.1:${port}: `)
  })

  it('is mounted in a server of node:http', async () => {
    const http = createServer(httpListener(kit()))
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
    onTestFinished(() => void http.close())
    const { port } = http.address() as { port: number }
    expect((await send(`http://127.0.0.1:${port}/any`, greet)).status).toBe(200)
  })
})
