import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve as serveFetch } from '@hono/node-server'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import express from 'express'
import { Hono } from 'hono'
import Koa from 'koa'
import { describe, expect, it, onTestFinished } from 'vitest'
import { httpListener, webHandler } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'
import { modern, send } from './harness.ts'

const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })

async function listening(http: Server): Promise<string> {
  if (!http.listening) await once(http, 'listening')
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return `http://127.0.0.1:${(http.address() as AddressInfo).port}`
}

const listen = (listener: RequestListener) => listening(createServer(listener).listen(0, '127.0.0.1'))

const mounted: { readonly [framework: string]: () => Promise<string> } = {
  'node:http': () => listen(httpListener(kit(), { legacy: true })),
  express: () => {
    const app = express()
    app.use('/mcp', httpListener(kit(), { legacy: true }))
    app.use(express.json())
    return listen(app)
  },
  koa: () => {
    const app = new Koa()
    const listener = httpListener(kit(), { legacy: true })
    app.use((context) => {
      context.respond = false
      listener(context.req, context.res)
    })
    return listen(app.callback())
  },
  hono: () => {
    const app = new Hono()
    const handle = webHandler(kit(), { legacy: true })
    app.all('/mcp', (context) => handle(context.req.raw))
    return listening(serveFetch({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server)
  },
}

describe.each(Object.entries(mounted))('mounted in %s', (_, mount) => {
  it.each(['auto', 'legacy'])('it serves the official client, mode %s', async (mode) => {
    const url = new URL('/mcp', await mount())
    const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } } as never)
    await client.connect(new StreamableHTTPClientTransport(url))
    onTestFinished(() => client.close())
    const reports: number[] = []
    const onprogress = ({ progress }: { progress: number }) => reports.push(progress)
    await client.callTool({ name: 'count', arguments: { to: 2 } }, { onprogress })
    expect(reports).toEqual([1, 2])
  })

  it('it answers by status what it does not take', async () => {
    const url = `${await mount()}/mcp`
    expect((await send(url, { ...greet, body: '{' })).status).toBe(400)
    expect((await send(url, { verb: 'PUT' })).status).toBe(405)
    const headers = { origin: 'https://evil.example.com' }
    expect((await send(url, { headers })).status).toBe(403)
    const large = { ...greet, body: `{"x":"${'x'.repeat(5_000_000)}"}` }
    const refused = await send(url, large).catch(() => ({ status: 'closed while it was sent' }))
    expect([413, 'closed while it was sent']).toContain(refused.status)
    expect((await send(url, greet)).body).toMatchObject({ result: { content: [{ text: 'Hello, Ada!' }] } })
  })
})

it('behind what reads bodies it says so, and keeps nobody waiting', async () => {
  const app = express()
  app.use(express.json())
  app.use('/mcp', httpListener(kit()))
  const { status, text } = await send(`${await listen(app)}/mcp`, greet)
  expect([status, text]).toEqual([500, expect.stringContaining('the body was read before')])
  const request = new Request('http://localhost/mcp', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  await request.text()
  const response = await webHandler(kit())(request)
  expect([response.status, await response.text()]).toEqual([
    500,
    expect.stringContaining('the body was read before'),
  ])
})

describe('a web-standard request', () => {
  const handle = webHandler(kit())
  const init = (more: RequestInit): RequestInit => ({
    method: 'POST',
    headers: { ...greet.headers, 'content-type': 'application/json', accept: 'text/event-stream' } as never,
    ...more,
  })

  it('whose client left before it had said all is settled', async () => {
    const body = new ReadableStream({ start: (controller) => controller.error(new Error('left')) })
    const request = new Request('http://localhost/mcp', init({ body, duplex: 'half' } as RequestInit))
    expect((await handle(request)).status).toBe(400)
  })

  it('whose client had left is settled too', async () => {
    const signal = AbortSignal.abort()
    const request = new Request('http://localhost/mcp', init({ body: JSON.stringify(greet.body), signal }))
    expect((await handle(request)).status).toBe(400)
  })

  it('that is too much is read no further', async () => {
    let read = 0
    const body = new ReadableStream({
      pull: (controller) => {
        read += 1
        controller.enqueue(new Uint8Array(1_000))
      },
    })
    const small = webHandler(kit(), { maxMessageBytes: 10_000 })
    const request = new Request('http://localhost/mcp', init({ body, duplex: 'half' } as RequestInit))
    expect((await small(request)).status).toBe(413)
    expect(read).toBeLessThan(20)
  })
})
