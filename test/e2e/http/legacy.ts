import { expect, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { Watched } from '../../transports/http/harness.ts'
import { type BareExchange, type BareServer, bare, type EventLines, type Routes, said } from './bare.ts'

export interface LegacyServer extends BareServer {
  /** Every session so far: its id, and its own stream once that was asked for. */
  readonly sessions: readonly LegacySession[]
  /** The stream of the nth session. */
  stream(session?: number): Promise<EventLines>
  /** The session that is alive dies: what is sent in it is answered 404. */
  forget(): void
}

interface LegacySession {
  readonly id: string
  stream: EventLines | undefined
  isAlive: boolean
}

export interface LegacyOptions {
  readonly version?: string
  /** Whether it opens sessions, and offers a stream in them; default true. */
  readonly hasSessions?: boolean
  readonly hasStream?: boolean
  /** Any handshake after so many is refused. */
  readonly mostSessions?: number
}

/** A strict server of the handshake revisions on streamable HTTP, without a library. A client that errs fails the test at its end. */
export async function legacy(
  routes: Routes = {},
  { version = '2025-11-25', hasSessions = true, hasStream = true, mostSessions = 100 }: LegacyOptions = {},
): Promise<LegacyServer> {
  const sessions: LegacySession[] = []
  const complaints: string[] = []
  const watched = new Watched()
  const living = () => sessions.find(({ isAlive }) => isAlive)

  const initialize = (exchange: BareExchange) => {
    for (const header of ['mcp-session-id', 'mcp-protocol-version'])
      if (exchange.headers[header] !== undefined) complaints.push(`initialize came with ${header}`)
    if (living()) complaints.push('initialize in a living session')
    if (sessions.length === mostSessions) return exchange.refuse(200, -32000, 'too many sessions')
    const session = { id: `session-${sessions.length + 1}`, stream: undefined, isAlive: true }
    sessions.push(session)
    exchange.answer(initialized(version), hasSessions ? { 'mcp-session-id': session.id } : {})
  }

  /** Whether the request is of the living session; else it has been answered. */
  const admits = (exchange: BareExchange): boolean => {
    const { name, headers } = exchange
    const given = headers['mcp-session-id']
    if (sessions.some(({ id, isAlive }) => id === given && !isAlive)) {
      exchange.send(404, 'Session not found')
      return false
    }
    if (given !== (hasSessions ? living()?.id : undefined)) complaints.push(`${name} in session ${given}`)
    if (headers['mcp-protocol-version'] !== version)
      complaints.push(`${name} under version ${headers['mcp-protocol-version']}`)
    if (headers['mcp-method'] !== undefined) complaints.push(`${name} with Mcp-Method`)
    return true
  }

  const own: Routes = {
    initialize,
    'server/discover': (exchange) => exchange.refuse(400, -32000, 'no session'),
    ping: (exchange) => exchange.answer({}),
    'tools/call': (exchange) => exchange.answer(said(`${exchange.tool} was called`)),
    GET: (exchange) => {
      if (!hasStream) return exchange.send(405)
      const session = living()
      if (session) session.stream = exchange.stream()
      watched.changed()
    },
    DELETE: (exchange) => {
      const session = living()
      if (session) session.isAlive = false
      exchange.send(200)
    },
    ...routes,
  }
  const free = new Set(['initialize', 'server/discover'])
  const checked = Object.entries(own).map(([name, routes]) => {
    const all = [routes].flat().map((route) => (exchange: BareExchange) => {
      if (free.has(name) || admits(exchange)) route(exchange)
    })
    return [name, all]
  })
  const server = await bare(Object.fromEntries(checked), (exchange) => {
    if (!admits(exchange)) return
    if ('method' in exchange.message && 'id' in exchange.message)
      exchange.refuse(200, -32601, `no method ${exchange.name}`)
    else exchange.send(exchange.verb === 'POST' ? 202 : 405)
  })
  onTestFinished(() => expect(complaints).toEqual([]))
  return {
    ...server,
    sessions,
    stream: (session = 0) => watched.until(() => sessions[session]?.stream),
    forget: () => {
      const session = living()
      if (session) session.isAlive = false
    },
  }
}

export function initialized(protocolVersion: string): JsonObject {
  const capabilities = { logging: {}, tools: { listChanged: true }, resources: { subscribe: true } }
  return { protocolVersion, capabilities, serverInfo: { name: 'bare', version: '1.0.0' } }
}
