import { describe, expect, it } from 'vitest'
import { kit } from '../kit.ts'
import { modern, send, serve } from './harness.ts'

const greet = modern('tools/call', { name: 'greet', arguments: { name: 'Ada' } })

describe('who may come', () => {
  it.each([
    [undefined, 'http://localhost:5173', 200],
    [undefined, 'http://[::1]:80', 200],
    [undefined, 'https://evil.example.com', 403],
    [undefined, 'http://localhost.evil.example.com', 403],
    [undefined, 'null', 403],
    [undefined, 'https://app.example.com', 200],
    [undefined, 'https://app.example.com.evil.example.com', 403],
    [undefined, 'https://one.test', 200],
    [undefined, 'chrome-extension://abcdefghijklmnop', 200],
    [undefined, 'chrome-extension://other', 403],
    ['evil.example.com', undefined, 403],
    ['localhost:1', undefined, 200],
    ['127.0.0.1:1', 'https://evil.example.com', 403],
  ])('with the host %s takes the origin %s: %i', async (host, origin, status) => {
    const { url } = await serve(kit(), {
      allowedOrigins: [
        'https://app.example.com',
        'chrome-extension://abcdefghijklmnop',
        /^https:\/\/\w+\.test$/g,
      ],
    })
    const wanted = {
      ...greet,
      headers: { ...greet.headers, ...(host && { host }), ...(origin && { origin }) },
    }
    // Whoever was let in before lets nobody else in.
    for (const _ of [1, 2]) {
      expect((await send(url, greet)).status).toBe(200)
      expect((await send(url, wanted)).status).toBe(status)
    }
  })

  it('lets pages of allowed origins read its answers, and ask beforehand whether they may', async () => {
    const { url } = await serve(kit(), { allowedOrigins: ['https://app.example.com'] })
    const origin = 'https://app.example.com'
    const ask = { 'access-control-request-method': 'POST', 'access-control-request-headers': 'mcp-method' }
    const before = await send(url, { verb: 'OPTIONS', headers: { origin, ...ask } })
    expect(before).toMatchObject({
      status: 204,
      headers: { 'access-control-allow-origin': origin, 'access-control-allow-headers': 'mcp-method' },
    })
    for (const wanted of [
      greet,
      modern('tools/call', { name: 'count', arguments: { to: 1 } }, { progressToken: 1 }),
    ]) {
      const { headers } = await send(url, { ...wanted, headers: { ...wanted.headers, origin } })
      expect(headers).toMatchObject({ 'access-control-allow-origin': origin, vary: 'Origin' })
    }
    const foreign = await send(url, {
      verb: 'OPTIONS',
      headers: { origin: 'https://evil.example.com', ...ask },
    })
    expect([foreign.status, foreign.headers['access-control-allow-origin']]).toEqual([403, undefined])
    expect((await send(url, { verb: 'OPTIONS' })).status).toBe(405)
  })

  it('can insist on an origin', async () => {
    const { url } = await serve(kit(), { allowNoOrigin: false })
    expect((await send(url, greet)).status).toBe(403)
  })
})
