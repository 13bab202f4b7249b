import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { SSEServerTransport } from '@modelcontextprotocol/sdk/server/sse.js'
import {
  type EventStore,
  StreamableHTTPServerTransport,
} from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { type Connected, listening, never, notification, opened, request, result } from './harness.ts'

/** What the official SDK offers of everything that is special about legacy HTTP. */
function buildServer(): McpServer {
  const server = new McpServer({ name: 'official', version: '1' })
  server.registerTool('echo', {}, () => ({ content: [{ type: 'text', text: 'ünïcödé 🎭' }] }))
  server.registerTool('ask', {}, async (extra) => {
    const { action } = await server.server.elicitInput(
      { message: 'Well?', requestedSchema: { type: 'object', properties: {} } },
      { relatedRequestId: extra.requestId },
    )
    return { content: [{ type: 'text', text: action }] }
  })
  server.registerTool('hang_up', {}, async (extra) => {
    extra.closeSSEStream?.()
    return { content: [{ type: 'text', text: 'called back' }] }
  })
  server.registerTool('announce', {}, async () => {
    server.sendToolListChanged()
    return { content: [] }
  })
  return server
}

/** Remembers every event, and repeats those of one stream after one of them. */
class Events implements EventStore {
  readonly #events: { id: string; stream: string; message: JSONRPCMessage }[] = []

  async storeEvent(stream: string, message: JSONRPCMessage): Promise<string> {
    return String(this.#events.push({ id: String(this.#events.length + 1), stream, message }))
  }

  async replayEventsAfter(
    lastId: string,
    { send }: { send: (id: string, message: JSONRPCMessage) => Promise<void> },
  ): Promise<string> {
    const { stream = '' } = this.#events.find(({ id }) => id === lastId) ?? {}
    const missed = this.#events.filter((one) => one.stream === stream && Number(one.id) > Number(lastId))
    for (const { id, message } of missed) if ('jsonrpc' in message) await send(id, message)
    return stream
  }
}

async function started(
  handler: (incoming: IncomingMessage, response: ServerResponse) => unknown,
): Promise<string> {
  const server: Server = createServer((incoming, response) => void handler(incoming, response))
  const port = await listening(server)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${port}/mcp`
}

async function streamable(): Promise<{ url: string; ended: Promise<unknown> }> {
  let end: (id: string) => void = () => {}
  const ended = new Promise<string>((resolve) => {
    end = resolve
  })
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: randomUUID,
    onsessionclosed: (id) => end(id),
    eventStore: new Events(),
    retryInterval: 20,
  })
  // Its types want properties to be absent rather than undefined.
  await buildServer().connect(transport as Parameters<McpServer['connect']>[0])
  return { url: await started((incoming, response) => transport.handleRequest(incoming, response)), ended }
}

async function oldSse(): Promise<string> {
  let transport: SSEServerTransport | undefined
  return started(async (incoming, response) => {
    if (incoming.method === 'POST' && transport && incoming.url?.startsWith('/messages'))
      return transport.handlePostMessage(incoming, response)
    if (incoming.method !== 'GET') return response.writeHead(405).end()
    transport = new SSEServerTransport('/messages', response)
    await buildServer().connect(transport as Parameters<McpServer['connect']>[0])
  })
}

const version = { 'mcp-protocol-version': '2025-11-25' }

async function shakeHands({ transport, record }: Connected): Promise<void> {
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: {} },
    clientInfo: { name: 'test', version: '1' },
  }
  transport.send(request(0, 'initialize', params))
  expect(await record.answer(0)).toMatchObject({ result: { serverInfo: { name: 'official' } } })
  transport.send({ ...notification('notifications/initialized'), headers: version })
}

function call({ transport, record }: Connected, id: number, name: string): Promise<JsonObject> {
  transport.send({ ...request(id, 'tools/call', { name }), headers: version })
  return record.answer(id)
}

const said = (text: string) => ({ result: { content: [{ type: 'text', text }] } })

describe('the official legacy server over streamable HTTP', () => {
  it('is spoken with in a session from its beginning to its end', async () => {
    const { url, ended } = await streamable()
    const connected = await opened(url)
    await shakeHands(connected)
    expect(await call(connected, 1, 'echo')).toMatchObject(said('ünïcödé 🎭'))
    await connected.transport.close()
    await ended
  })

  it('asks in the middle of a call', async () => {
    const connected = await opened((await streamable()).url)
    await shakeHands(connected)
    const answered = call(connected, 1, 'ask')
    const { id } = await connected.record.find(({ method }) => method === 'elicitation/create')
    const response = { kind: 'response', id: id as number, text: result(id, { action: 'decline' }) } as const
    connected.transport.send({ ...response, headers: version })
    expect(await answered).toMatchObject(said('decline'))
  })

  it('hangs up and is called back', async () => {
    const connected = await opened((await streamable()).url)
    await shakeHands(connected)
    expect(await call(connected, 1, 'hang_up')).toMatchObject(said('called back'))
  })

  it('speaks unasked', async () => {
    const connected = await opened((await streamable()).url)
    await shakeHands(connected)
    await call(connected, 1, 'announce')
    await connected.record.find(({ method }) => method === 'notifications/tools/list_changed')
    expect(connected.record.all('stream')).toEqual([{ event: 'stream', state: 'open' }])
  })
})

describe('the official legacy server over HTTP+SSE', () => {
  it('is found by falling back, and asks in the middle of a call', async () => {
    const connected = await opened(await oldSse())
    await connected.transport.fallBack(never)
    await shakeHands(connected)
    expect(await call(connected, 1, 'echo')).toMatchObject(said('ünïcödé 🎭'))
    const answered = call(connected, 2, 'ask')
    const { id } = await connected.record.find(({ method }) => method === 'elicitation/create')
    connected.transport.send({ kind: 'response', id: id as number, text: result(id, { action: 'cancel' }) })
    expect(await answered).toMatchObject(said('cancel'))
  })
})
