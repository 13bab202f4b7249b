import { describe, expect, it } from 'vitest'
import { KeepAlives } from '../../../src/server/http/keep-alives.ts'
import type { HttpSessionParts } from '../../../src/server/http/legacy/http-session.ts'
import { Sessions } from '../../../src/server/http/legacy/sessions.ts'
import { UnderWay } from '../../../src/server/http/under-way.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { kit } from '../kit.ts'
import { modern, send, serve, type Wanted } from './harness.ts'
import { WrittenResponse } from './written-response.ts'

const legacy = (method: string, params = {}, headers = {}): Wanted => ({
  headers,
  body: { jsonrpc: '2.0', id: 1, method, params },
})
const initialize = legacy('initialize', { protocolVersion: '2025-11-25', capabilities: {} })

async function begin(url: string): Promise<{ readonly 'mcp-session-id': string }> {
  const { headers } = await send(url, initialize)
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  await send(url, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return session
}

describe('a session', () => {
  it('begins with the handshake, comes with everything after it, and ends for good', async () => {
    const { url } = await serve(kit(), { legacy: true })
    const session = await begin(url)
    expect(session['mcp-session-id']).toMatch(/^[\x21-\x7e]+$/)
    const greet = (headers: object) =>
      send(url, legacy('tools/call', { name: 'greet', arguments: { name: 'Ada' } }, headers))
    expect((await greet(session)).body).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
    })
    expect((await greet({ ...session, 'mcp-protocol-version': '2025-11-25' })).status).toBe(200)
    expect((await greet({})).status).toBe(400)
    expect((await greet({ 'mcp-session-id': 'none' })).status).toBe(404)
    expect((await send(url, { verb: 'DELETE', headers: session })).status).toBe(200)
    expect((await greet(session)).status).toBe(404)
    expect((await send(url, { verb: 'PUT' })).status).toBe(405)
  })

  it('leaves modern requests alone', async () => {
    const { url } = await serve(kit(), { legacy: true })
    expect((await send(url, modern('tools/list'))).body).toMatchObject({ result: { resultType: 'complete' } })
    expect((await send(url, modern('initialize'))).status).toBe(404)
    const unstamped = legacy('tools/list', {}, { 'mcp-protocol-version': '2026-07-28' })
    expect(await send(url, unstamped)).toMatchObject({ status: 400, body: { error: { code: -32602 } } })
  })

  it('of 2025-03-26 takes batches, and no other does', async () => {
    const { url } = await serve(kit(), { legacy: true })
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    const note = { jsonrpc: '2.0', method: 'notifications/initialized' }
    for (const [protocolVersion, isTaken] of [
      ['2025-03-26', true],
      ['2025-11-25', false],
    ] as const) {
      const { headers } = await send(url, legacy('initialize', { protocolVersion, capabilities: {} }))
      const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
      const batch = async (messages: readonly object[]) => {
        const { status, text } = await send(url, { headers: session, body: JSON.stringify(messages) })
        return [status, text]
      }
      const answers = JSON.stringify([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
      const refused = [400, expect.stringContaining('Batches are not taken')]
      expect(await batch([ping(1), note, ping(2)])).toEqual(isTaken ? [200, answers] : refused)
      expect(await batch([note])).toEqual(isTaken ? [202, ''] : refused)
      expect(await batch([initialize.body as object])).toEqual(refused)
      expect(await batch([])).toEqual(refused)
    }
  })

  it('is given one stream to be told on, and no second beside it', async () => {
    const server = kit()
    const { url } = await serve(server, { legacy: true })
    const session = await begin(url)
    const headers = { ...session, accept: 'text/event-stream' }
    expect(
      (await send(url, { verb: 'GET', headers: { ...session, accept: 'application/json' } })).status,
    ).toBe(406)
    const response = await fetch(url, { headers })
    expect((await send(url, { verb: 'GET', headers })).status).toBe(409)
    server.tool('new', {}, () => '')
    let text = ''
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk).toString()
      if (text.includes('list_changed')) await send(url, { verb: 'DELETE', headers: session })
    }
    expect(text).toContain('notifications/tools/list_changed')
  })
})

describe('the sessions of an endpoint', () => {
  const parts = (): HttpSessionParts => ({
    dispatcher: kit().dispatcher,
    underWay: new UnderWay(10),
    keepAlives: new KeepAlives(60_000),
    retryMs: 0,
    eventStore: undefined,
    onStoreFailure: () => {},
  })

  it('end when they are idle, or when there are too many', () => {
    const clock = new TestClock()
    const sessions = new Sessions(parts(), { maxSessions: 2, idleMs: 100, clock })
    const [one, two] = [sessions.begin(), sessions.begin()]
    expect(sessions.find(one.id)).toBe(one)
    const three = sessions.begin()
    expect([one, two, three].map(({ id }) => sessions.find(id) !== undefined)).toEqual([true, false, true])
    clock.advance(99)
    expect(sessions.find(one.id)).toBe(one)
    clock.advance(1)
    expect([sessions.find(three.id), sessions.find(one.id)]).toEqual([undefined, one])
  })

  it('are not idle while their clients are connected', () => {
    const clock = new TestClock()
    const sessions = new Sessions(parts(), { maxSessions: 2, idleMs: 100, clock })
    const listening = sessions.begin()
    const response = new WrittenResponse()
    listening.stand(response)
    clock.advance(1_000)
    expect(sessions.find(listening.id)).toBe(listening)
    response.leave()
    clock.advance(100)
    expect(sessions.find(listening.id)).toBe(undefined)
  })

  it('of one client cannot drive out those of another', () => {
    const sessions = new Sessions(parts(), { maxSessions: 10, idleMs: 100, clock: new TestClock() })
    const quiet = ['ada', 'bob', undefined].map((principal) => sessions.begin(principal))
    const flood = Array.from({ length: 1_000 }, () => sessions.begin('eve'))
    expect(quiet.map(({ id, principal }) => sessions.find(id, principal))).toEqual(quiet)
    expect(flood.filter(({ id }) => sessions.find(id, 'eve'))).toEqual(flood.slice(-7))
  })
})
