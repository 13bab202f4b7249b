import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { describe, expect, it, onTestFinished } from 'vitest'
import { Conversation, McpServer, serveStdio } from '../../src/server/index.ts'
import { Heard } from '../e2e/heard.ts'
import { stamp } from './dispatch/harness.ts'
import { kit } from './kit.ts'

const request = (method: string, params = {}, meta = {}) => ({
  jsonrpc: '2.0',
  id: 5,
  method,
  params: { ...params, _meta: stamp(meta) },
})
const greet = request('tools/call', { name: 'greet', arguments: { name: 'Ada' } })

describe('a message of a wire where each request has its answer', () => {
  it('is answered, after what belongs to it', async () => {
    const notes: unknown[] = []
    const count = request('tools/call', { name: 'count', arguments: { to: 2 } }, { progressToken: 'p' })
    const answer = await kit().handleModernRequest(count, { notify: (note) => notes.push(note) })
    expect(answer).toMatchObject({ jsonrpc: '2.0', id: 5, result: { resultType: 'complete' } })
    expect(notes).toMatchObject([1, 2].map((progress) => ({ params: { progressToken: 'p', progress } })))
    expect(await kit().handleModernRequest(count)).toEqual(answer)
  })

  it.each([
    ['a notification', { jsonrpc: '2.0', method: 'notifications/any' }, undefined],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }, undefined],
    ['a handshake', { jsonrpc: '2.0', id: 5, method: 'initialize', params: {} }, -32022],
    ['a legacy request', { jsonrpc: '2.0', id: 5, method: 'tools/list' }, -32602],
    ['a method there is not', request('ping'), -32601],
    ['no message', { jsonrpc: '2.0', id: 5 }, -32600],
    ['nothing', undefined, -32600],
    ['a batch', [greet], -32600],
  ])('that is %s', async (_, message, code) => {
    const answer = await kit().handleModernRequest(message)
    expect((answer?.error as { code: number } | undefined)?.code).toBe(code)
  })

  it('knows whose it is', async () => {
    const server = new McpServer({ name: 'personal' })
    server.tool('who', {}, (_, { principal, scopes }) => JSON.stringify([principal, scopes]))
    const who = request('tools/call', { name: 'who' })
    expect(await server.handleModernRequest(who, { principal: 'ada', scopes: ['read'] })).toMatchObject({
      result: { content: [{ text: '["ada",["read"]]' }] },
    })
  })

  it('is given up by who walks away, before and during', async () => {
    const wait = request('tools/call', { name: 'wait' })
    expect(await kit().handleModernRequest(wait, { signal: AbortSignal.abort() })).toBe(undefined)
    const leaving = new AbortController()
    const answer = kit().handleModernRequest(request('subscriptions/listen', { notifications: {} }), {
      signal: leaving.signal,
      notify: () => leaving.abort(),
    })
    expect(await answer).toBe(undefined)
  })
})

it('what discovery says can be had without asking', async () => {
  const server = kit()
  const { result } = (await server.handleModernRequest(request('server/discover'))) as { result: object }
  expect(result).toMatchObject(server.discoveryDocument())
  expect(server.discoveryDocument()).toMatchObject({
    supportedVersions: ['2026-07-28'],
    capabilities: { tools: {} },
    instructions: 'A server to test with.',
    ttlMs: 3_600_000,
    cacheScope: 'private',
  })
})

it('any pair of streams is served, and any number of them', async () => {
  const server = kit()
  const tcp = createServer((socket) => void serveStdio(server, { input: socket, output: socket }))
  tcp.listen(0, '127.0.0.1')
  await once(tcp, 'listening')
  onTestFinished(() => void tcp.close())
  const { port } = tcp.address() as { port: number }
  const answers = [1, 2, 3].map(async () => {
    const socket: Socket = connect(port, '127.0.0.1')
    onTestFinished(() => void socket.destroy())
    socket.end(`${JSON.stringify(greet)}\n`)
    let text = ''
    for await (const part of socket) text += part
    return JSON.parse(text)
  })
  expect(await Promise.all(answers)).toMatchObject(
    answers.map(() => ({ id: 5, result: { content: [{ text: 'Hello, Ada!' }] } })),
  )
})

it('a wire of messages is served by a conversation on it', async () => {
  const { port1: client, port2: ours } = new MessageChannel()
  onTestFinished(() => client.close())
  const heard = new Heard<string>()
  client.on('message', heard.hear)
  const send = (text: string) => ours.postMessage(text)
  const conversation = new Conversation(kit().dispatcher, { send, mention: send })
  ours.on('message', (text) => conversation.receive(text))
  client.postMessage(JSON.stringify(greet))
  expect(await heard.first((text) => text.includes('"id":5'))).toContain('Hello, Ada!')
})
