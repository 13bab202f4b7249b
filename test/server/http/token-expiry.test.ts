import { once } from 'node:events'
import { get } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { kit } from '../kit.ts'
import { modern, send, serve, type Wanted } from './harness.ts'

const by = (token: string, wanted: Wanted): Wanted => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: token },
})
const initialize: Wanted = {
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {} },
  },
}

describe('a token', () => {
  it('is good until it expires', async () => {
    const verify = (token: string) => ({ principal: 'ada', expiresAt: Number(token) })
    const { url } = await serve(kit(), { authorization: { verify } })
    const statuses = [Date.now() + 60_000, Date.now(), Number.NaN].map(
      async (at) => (await send(url, by(`Bearer ${at}`, modern('tools/list')))).status,
    )
    expect(await Promise.all(statuses)).toEqual([200, 401, 401])
  })

  it('ends the streams on which its holder listens when it expires', async () => {
    const verify = () => ({ principal: 'ada', expiresAt: Date.now() + 100 })
    const { url } = await serve(kit(), { authorization: { verify }, legacy: true })
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } })
    const { events } = await send(url, by('Bearer x', listen))
    expect(events).toMatchObject([
      { method: 'notifications/subscriptions/acknowledged' },
      { id: 7, result: {} },
    ])
    const { headers } = await send(url, by('Bearer x', initialize))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const { status, text } = await send(url, by('Bearer x', { verb: 'GET', headers: session }))
    expect([status, text]).toEqual([200, ''])
  })

  it('is not waited for to expire once its streams are over', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    const verify = () => ({ principal: 'ada', expiresAt: Date.now() + 3_600_000 })
    const { url } = await serve(kit(), { authorization: { verify }, legacy: true })
    const pending: number[] = []
    for (const _ of [1, 2, 3]) {
      const { headers } = await send(url, by('Bearer x', initialize))
      const session = {
        accept: 'text/event-stream',
        authorization: 'Bearer x',
        'mcp-session-id': String(headers['mcp-session-id']),
      }
      const [standing] = await once(get(url, { headers: session, agent: false }), 'response')
      await send(url, { verb: 'DELETE', headers: session })
      await once(standing.resume(), 'end')
      pending.push(vi.getTimerCount())
    }
    expect(pending).toEqual([1, 1, 1])
  })
})
