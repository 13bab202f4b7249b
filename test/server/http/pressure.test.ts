import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpListener, McpServer, serveHttp } from '../../../src/server/index.ts'
import { Heard } from '../../e2e/heard.ts'
import { deferred } from '../../model/deferred.ts'
import { kit } from '../kit.ts'
import { modern, send, serve } from './harness.ts'
import { RawConnection, rawGreet, statusesOf } from './raw.ts'

const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })
const call = (name: string, meta: object = {}) => modern('tools/call', { name }, { ...meta })
const rawCall = (name: string, meta?: object) => {
  const body = JSON.stringify(call(name, meta).body)
  const more = `mcp-name: ${name}\r\ncontent-length: ${body.length}\r\n`
  return rawGreet({ leaveOut: 'mcp-name', more, body })
}

/** A server whose tools answer when the test says so, with much. */
function patient() {
  const server = new McpServer({ name: 'patient' })
  const done = deferred<void>()
  const begun = new Heard<AbortSignal>()
  server.tool('wait', {}, async (_, { signal }) => {
    begun.hear(signal)
    await done.promise
    return 'done'
  })
  server.tool('large', {}, () => 'x'.repeat(16_000_000))
  const begunAre = (count: number) => begun.first(() => begun.all.length === count)
  return { server, done, signals: begun.all, begunAre }
}

/** Resolves when the server has closed the next connection that is made to it. */
function nextClosed(): Promise<void> {
  return new Promise((resolve) => {
    const note = (message: unknown) => {
      unsubscribe('net.server.socket', note)
      const { socket } = message as { socket: Socket }
      socket.on('close', () => resolve())
    }
    subscribe('net.server.socket', note)
  })
}

describe('who dribbles is shown out', () => {
  const slow = { headersTimeoutMs: 50, requestTimeoutMs: 100 }
  it.each([
    ['headers', rawGreet().slice(0, 60)],
    ['a body', rawGreet().slice(0, -10)],
    ['chunks', rawGreet({ more: 'transfer-encoding: chunked\r\n', body: '5\r\n' })],
  ])('with %s', async (_, part) => {
    const { url, port } = await serve(kit(), slow)
    expect(statusesOf(await new RawConnection(port).write(part).text)).toEqual([408])
    expect((await send(url, greet)).status).toBe(200)
  })
})

describe('who does not read', () => {
  it('is shown out', async () => {
    const { server, done } = patient()
    const { url, port } = await serve(server, { stallTimeoutMs: 50 })
    const closed = nextClosed()
    const connection = new RawConnection(port)
    connection.socket.pause()
    connection.write(rawCall('large'))
    await closed
    connection.socket.resume()
    expect((await connection.text).length).toBeLessThan(16_000_000)
    done.resolve()
    expect((await send(url, call('wait'))).status).toBe(200)
  })

  it('a stream is shown out, unlike one that is quiet', async () => {
    const { server, done } = patient()
    const talking = deferred<AbortSignal>()
    const begun = deferred<void>()
    server.tool('talk', {}, async (_, context) => {
      talking.resolve(context.signal)
      for (let progress = 1; !context.signal.aborted; progress += 1) {
        context.progress({ progress, message: 'x'.repeat(100_000) })
        await turn()
      }
      return ''
    })
    server.tool('quiet', {}, async (_, context) => {
      context.progress({ progress: 1 })
      begun.resolve()
      return done.promise.then(() => 'done')
    })
    const { url, port } = await serve(server, { stallTimeoutMs: 50 })
    const quiet = send(url, modern('tools/call', { name: 'quiet' }, { progressToken: 1 }))
    await begun.promise
    const closed = nextClosed()
    const connection = new RawConnection(port)
    connection.socket.pause()
    connection.write(rawCall('talk', { progressToken: 1 }))
    await closed
    expect((await talking.promise).aborted).toBe(true)
    done.resolve()
    expect((await quiet).events).toMatchObject([{ method: 'notifications/progress' }, { id: 7 }])
  })

  it('is not worked for without end', async () => {
    const { server, done, signals } = patient()
    const { url, port } = await serve(server)
    const answers = new RawConnection(port).write(rawCall('wait').repeat(100)).text
    expect((await send(url, call('large'))).status).toBe(200)
    done.resolve()
    expect(statusesOf(await answers)).toEqual([...Array.from({ length: 32 }, () => 200), 503])
    expect(signals).toHaveLength(32)
  })
})

describe('past so many requests under way', () => {
  it.each([{ legacy: false }, { legacy: true }])(
    'others are refused until there is room: %o',
    async (options) => {
      const { server, done, begunAre } = patient()
      const { url } = await serve(server, { maxRequests: 2, ...options })
      const waiting = [1, 2].map(() => send(url, call('wait')))
      await begunAre(2)
      const { status, headers } = await send(url, call('wait'))
      expect([status, headers['retry-after']]).toEqual([503, '1'])
      done.resolve()
      await Promise.all(waiting)
      expect((await send(url, call('wait'))).status).toBe(200)
    },
  )
})

describe('a client that leaves', () => {
  it('at any moment leaves nothing behind', async () => {
    const { server, signals } = patient()
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 60_000, legacy: true })
    const whole = rawCall('wait')
    for (let at = 0; at <= whole.length; at += 10) {
      const { socket, text } = new RawConnection(serving.port)
      await once(socket, 'connect')
      socket.write(whole.slice(0, at), () => socket.resetAndDestroy())
      await text
    }
    // Nothing is waited for, or this would take its grace.
    await serving.close()
    expect(signals.filter(({ aborted }) => !aborted)).toEqual([])
  })

  it('while its token is verified is not worked for', async () => {
    const { server, signals } = patient()
    const verified = deferred<string>()
    const asked = deferred<void>()
    const verify = () => {
      asked.resolve()
      return verified.promise
    }
    const closed = nextClosed()
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 60_000, authorization: { verify } })
    const { socket } = new RawConnection(serving.port).write(
      rawCall('wait').replace('\r\n', '\r\nauthorization: Bearer x\r\n'),
    )
    await asked.promise
    socket.resetAndDestroy()
    await closed
    verified.resolve('ada')
    await serving.close()
    expect(signals).toEqual([])
  })

  it('half, having asked, is answered', async () => {
    const { port } = await serve(kit())
    expect(statusesOf(await new RawConnection(port).end(rawGreet()))).toEqual([200])
  })
})

describe('what waits behind another answer of its connection', () => {
  it('is given up with it, and leaves room for others', async () => {
    const { server, signals, begunAre } = patient()
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 60_000, maxRequests: 20 })
    const { socket, text } = new RawConnection(serving.port).write(rawCall('wait').repeat(20))
    await begunAre(20)
    expect((await send(serving.url, greet)).status).toBe(503)
    socket.resetAndDestroy()
    await text
    await Promise.all(signals.map((signal) => signal.aborted || once(signal, 'abort')))
    expect((await send(serving.url, modern('tools/list'))).status).toBe(200)
    // Nothing is waited for, or this would take its grace.
    await serving.close()
  })
})

describe('a response that something else has answered', () => {
  it('harms nobody when the time of a sign of life comes', async () => {
    const { server, done, begunAre } = patient()
    const listener = httpListener(server, { keepAliveMs: 20 })
    const http = createServer((request, response) => {
      listener(request, response)
      if (request.url === '/late') void begunAre(1).then(() => response.end())
    }).listen(0)
    onTestFinished(() => void http.close())
    await once(http, 'listening')
    const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}`
    await send(`${url}/late`, call('wait'))
    const { headers, body } = call('wait')
    const given = { ...headers, 'content-type': 'application/json', accept: 'text/event-stream' }
    const quiet = await fetch(url, { method: 'POST', headers: given, body: JSON.stringify(body) })
    let text = ''
    for await (const part of quiet.body ?? []) {
      text += Buffer.from(part).toString()
      done.resolve()
    }
    expect(text).toMatch(/^: still here\n\n.*"done"/s)
  })
})

describe('a legacy session', () => {
  const body = (id: number, method: string, params: object = {}) => ({ jsonrpc: '2.0', id, method, params })
  async function begin(url: string): Promise<{ 'mcp-session-id': string }> {
    const params = { protocolVersion: '2025-11-25', capabilities: { elicitation: {} } }
    const { headers } = await send(url, { body: body(0, 'initialize', params) })
    return { 'mcp-session-id': String(headers['mcp-session-id']) }
  }

  it('has one request of an id at a time', async () => {
    const { server, done, begunAre } = patient()
    const { url } = await serve(server, { legacy: true })
    const headers = await begin(url)
    const wait = { headers, body: body(1, 'tools/call', { name: 'wait' }) }
    const first = send(url, wait)
    await begunAre(1)
    expect((await send(url, wait)).body).toMatchObject({ error: { code: -32600 } })
    done.resolve()
    expect((await first).body).toMatchObject({ result: { content: [{ text: 'done' }] } })
    expect((await send(url, wait)).body).toMatchObject({ result: {} })
  })

  it('finishes what is under way when its server closes', async () => {
    const { server, done, begunAre } = patient()
    const serving = await serveHttp(server, { port: 0, closeGraceMs: 60_000, legacy: true })
    const headers = await begin(serving.url)
    const answer = send(serving.url, { headers, body: body(1, 'tools/call', { name: 'wait' }) })
    await begunAre(1)
    const closed = serving.close()
    done.resolve()
    expect((await answer).body).toMatchObject({ result: { content: [{ text: 'done' }] } })
    await closed
  })

  it('is answered at once when it takes a request back, or ends', async () => {
    const { server, signals, begunAre } = patient()
    const { url } = await serve(server, { legacy: true })
    const headers = await begin(url)
    const wait = (id: number) => send(url, { headers, body: body(id, 'tools/call', { name: 'wait' }) })
    const [one, two] = [wait(1), wait(2)]
    await begunAre(2)
    const params = { requestId: 1 }
    await send(url, { headers, body: { jsonrpc: '2.0', method: 'notifications/cancelled', params } })
    expect((await one).text).toBe('')
    await send(url, { verb: 'DELETE', headers })
    expect((await two).text).toBe('')
    expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
  })

  it('whose client left is not asked any more', async () => {
    const server = new McpServer({ name: 'late' })
    const left = deferred<void>()
    const refused = deferred<unknown>()
    server.tool('ask', {}, async (_, context) => {
      await left.promise
      await context.elicit({ message: 'Who?', requestedSchema: { type: 'object' } }).catch(refused.resolve)
      return ''
    })
    const { url, port } = await serve(server, { legacy: true })
    const { 'mcp-session-id': id } = await begin(url)
    const text = JSON.stringify(body(1, 'tools/call', { name: 'ask' }))
    const closed = nextClosed()
    const { socket } = new RawConnection(port)
    const request = rawGreet({ body: text, leaveOut: 'mcp-protocol-version' })
    socket.write(request.replace('\r\n', `\r\nmcp-session-id: ${id}\r\n`), () => socket.resetAndDestroy())
    await closed
    left.resolve()
    expect(String(await refused.promise)).toContain('left')
  })
})
