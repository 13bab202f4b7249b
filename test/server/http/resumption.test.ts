import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { type LogMessage, McpClient } from '../../../src/index.ts'
import {
  type EventStore,
  McpServer,
  MemoryEventStore,
  type ServeHttpOptions,
} from '../../../src/server/index.ts'
import { deferred } from '../../model/deferred.ts'
import { modern, send, serve, type Wanted } from './harness.ts'

/** A server whose one tool says a number of things, lets its client go where it can, and answers when it is told. */
async function reluctant(options: ServeHttpOptions = {}, afterLog = () => {}) {
  const logged: unknown[] = []
  const onLog = ({ data }: LogMessage) => {
    logged.push(data)
    afterLog()
  }
  const server = new McpServer({ name: 'reluctant', onLog })
  const done = deferred<string>()
  const begun = deferred<void>()
  server.tool('work', {}, (_, context) => {
    context.progress({ progress: 1 })
    context.disconnect()
    context.progress({ progress: 2 })
    begun.resolve()
    return done.promise
  })
  server.tool('quick', {}, () => 'done')
  const serving = await serve(server, {
    legacy: true,
    eventStore: new MemoryEventStore(),
    retryMs: 1,
    ...options,
  })
  return { server, done, begun, logged, url: serving.url }
}

async function begin(url: string, protocolVersion = '2025-11-25'): Promise<{ 'mcp-session-id': string }> {
  const params = { protocolVersion, capabilities: {} }
  const { headers } = await send(url, { body: { jsonrpc: '2.0', id: 0, method: 'initialize', params } })
  const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
  await send(url, { headers: session, body: { jsonrpc: '2.0', method: 'notifications/initialized' } })
  return session
}

const call = (name: string, headers: object): Wanted => ({
  headers: { ...headers },
  body: {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name, _meta: { progressToken: 'p' } },
  },
})
const resume = (lastEventId: string, headers: object): Wanted => ({
  verb: 'GET',
  headers: { ...headers, 'last-event-id': lastEventId },
})
const idsOf = (text: string) => [...text.matchAll(/^id: (.*)$/gm)].map(([, id = '']) => id)
const progressOf = (text: string) => [...text.matchAll(/"progress":(\d)/g)].map(([, step]) => Number(step))

describe('a legacy client that lost its stream', () => {
  it('has the rest of it, from any event on', async () => {
    const { url, done } = await reluctant()
    const session = await begin(url)
    const { text } = await send(url, call('work', session))
    expect(text).toMatch(/^id: (\S+)\nretry: 1\ndata: \n\nid: /)
    expect(progressOf(text)).toEqual([1])
    const [first = '', second = ''] = idsOf(text)
    done.resolve('done')
    const all = await send(url, resume(first, session))
    expect([progressOf(all.text), all.body]).toMatchObject([[1, 2], { id: 1, result: {} }])
    const rest = await send(url, resume(second, session))
    expect([progressOf(rest.text), rest.body]).toMatchObject([[2], { id: 1, result: {} }])
    const nothing = await send(url, resume(idsOf(all.text).at(-1) ?? '', session))
    expect([nothing.status, nothing.text]).toEqual([200, ''])
  })

  it('waits on its new connection for what is still to come', async () => {
    const { url, done, begun } = await reluctant()
    const session = await begin(url)
    const [first = ''] = idsOf((await send(url, call('work', session))).text)
    await begun.promise
    const response = await fetch(url, {
      headers: { ...session, accept: 'text/event-stream', 'last-event-id': first },
    })
    done.resolve('done')
    const text = await response.text()
    expect(progressOf(text)).toEqual([1, 2])
    expect(text).toContain('"done"')
    expect(new Set(idsOf(text)).size).toBe(3)
  })

  it('has it on its newest connection only', async () => {
    const { url, done } = await reluctant()
    const session = await begin(url)
    const [first = ''] = idsOf((await send(url, call('work', session))).text)
    const headers = { ...session, accept: 'text/event-stream', 'last-event-id': first }
    const older = await fetch(url, { headers })
    const newer = await fetch(url, { headers })
    expect(await older.text()).not.toContain('"done"')
    done.resolve('done')
    expect(await newer.text()).toContain('"done"')
  })

  it('is told what happened meanwhile on the stream that belongs to no request', async () => {
    const { url, server } = await reluctant()
    const session = await begin(url)
    const leave = new AbortController()
    const headers = { ...session, accept: 'text/event-stream' }
    const response = await fetch(url, { headers, signal: leave.signal })
    let text = ''
    const left = (async () => {
      for await (const chunk of response.body ?? []) {
        text += Buffer.from(chunk).toString()
        if (text.includes('data: \n\n')) leave.abort()
      }
    })().catch(() => 'left')
    expect(await left).toBe('left')
    server.tool('later', {}, () => '')
    const again = await fetch(url, { headers: { ...headers, 'last-event-id': idsOf(text)[0] ?? '' } })
    let told = ''
    for await (const chunk of again.body ?? []) {
      told += Buffer.from(chunk).toString()
      if (told.includes('list_changed')) await send(url, { verb: 'DELETE', headers: session })
    }
    expect(told).toContain('notifications/tools/list_changed')
  })

  it('is answered with JSON all the same where nothing had to be said before', async () => {
    const { url } = await reluctant()
    const { headers } = await send(url, call('quick', await begin(url)))
    expect(headers['content-type']).toBe('application/json')
  })

  it.each([['no-event'], ['1-999'], [''], ['undefined-1']])('has nothing after the event %j', async (id) => {
    const { url } = await reluctant()
    const session = await begin(url)
    await send(url, call('work', session))
    expect((await send(url, resume(id, session))).status).toBe(400)
  })

  it('has nothing of the streams of other sessions', async () => {
    const { url, done } = await reluctant()
    const [ada, eve] = [await begin(url), await begin(url)]
    const [first = ''] = idsOf((await send(url, call('work', ada))).text)
    done.resolve('secret')
    const stolen = await send(url, resume(first, eve))
    expect([stolen.status, stolen.text.includes('secret')]).toEqual([400, false])
  })

  it('of a revision before empty events is neither sent one nor let go', async () => {
    const { url, done } = await reluctant()
    const session = await begin(url, '2025-06-18')
    done.resolve('done')
    const { text, body } = await send(url, call('work', session))
    expect(text).not.toMatch(/^(retry:.*|data: )$/m)
    expect([progressOf(text), idsOf(text).length, body.id]).toEqual([[1, 2], 3, 1])
  })

  it('finds no ids on modern streams, and on none without a store', async () => {
    const { url, done } = await reluctant()
    done.resolve('done')
    const { text } = await send(url, modern('tools/call', { name: 'work' }, { progressToken: 'p' }))
    expect([progressOf(text), idsOf(text)]).toEqual([[1, 2], []])
    const without = await reluctant({ eventStore: undefined })
    without.done.resolve('done')
    const session = await begin(without.url)
    expect(idsOf((await send(without.url, call('work', session))).text)).toEqual([])
  })

  it('is our client, which gets its answer', async () => {
    const { url, done, begun } = await reluctant()
    const client = McpClient.connectHttp({ url, hosting: 'inline', era: 'legacy' })
    onTestFinished(() => client.close())
    const answer = client.callTool('work')
    await begun.promise
    done.resolve('done')
    expect(await answer).toEqual({ content: [{ type: 'text', text: 'done' }] })
  })

  it('is the official 1.x client, which gets its answer', async () => {
    const { url, done, begun } = await reluctant()
    const client = new Client({ name: 'tester', version: '1' })
    await client.connect(new StreamableHTTPClientTransport(new URL(url)) as never)
    onTestFinished(() => client.close())
    const answer = client.callTool({ name: 'work' })
    await begun.promise
    done.resolve('done')
    expect(await answer).toMatchObject({ content: [{ text: 'done' }] })
  })
})

describe('a store of events', () => {
  /** Answers late, and is asked while it keeps. */
  class SlowStore implements EventStore {
    readonly #inner = new MemoryEventStore()
    async append(...args: Parameters<EventStore['append']>) {
      await Promise.resolve()
      this.#inner.append(...args)
    }
    async after(...args: Parameters<EventStore['after']>) {
      await new Promise((resolve) => setImmediate(resolve))
      return this.#inner.after(...args)
    }
    forget(sessionId: string) {
      this.#inner.forget(sessionId)
    }
  }

  it('may be elsewhere, and nothing is lost or said twice', async () => {
    const { url, done } = await reluctant({ eventStore: new SlowStore() })
    const session = await begin(url)
    const [first = ''] = idsOf((await send(url, call('work', session))).text)
    const answered = send(url, resume(first, session))
    done.resolve('done')
    const { text, body } = await answered
    expect([progressOf(text), idsOf(text).length, body.id]).toEqual([[1, 2], 3, 1])
  })

  const logs = [
    ['', () => {}],
    [
      ', also where the log fails too',
      () => {
        throw new Error('There is no log')
      },
    ],
  ] as const

  it.each(logs)('that fails costs resumption, and no answer%s', async (_, afterLog) => {
    const failing: EventStore = {
      append: () => Promise.reject(new Error('full')),
      after: () => undefined,
      forget: () => {},
    }
    const { url, done, logged } = await reluctant({ eventStore: failing }, afterLog)
    done.resolve('done')
    const { body } = await send(url, call('work', await begin(url, '2025-06-18')))
    expect(body).toMatchObject({ id: 1, result: {} })
    expect(logged).toContain('The store of events failed: full')
  })

  it.each(logs)('that fails later keeps nobody waiting, and harms nobody else%s', async (_, afterLog) => {
    const inner = new MemoryEventStore()
    let asked = 0
    const failing: EventStore = {
      append: (...args) => inner.append(...args),
      after: async (...args) => {
        asked += 1
        if (asked === 2) throw new Error('gone')
        return inner.after(...args)
      },
      forget: () => Promise.reject(new Error('busy')),
    }
    const { url, done, logged } = await reluctant({ eventStore: failing }, afterLog)
    const session = await begin(url)
    const [first = ''] = idsOf((await send(url, call('work', session))).text)
    expect((await send(url, resume(first, session))).text).toBe('')
    done.resolve('done')
    expect((await send(url, resume(first, session))).body).toMatchObject({ id: 1, result: {} })
    await send(url, { verb: 'DELETE', headers: session })
    expect(logged).toEqual(['The store of events failed: gone', 'The store of events failed: busy'])
  })

  const event = (stream: string, count: number, data = '{}') => ({ id: `${stream}-${count}`, stream, data })

  it('in memory knows each stream by itself, for as long as its session', () => {
    const store = new MemoryEventStore()
    for (const count of [1, 2]) for (const stream of ['1', '2']) store.append('ada', event(stream, count))
    expect(store.after('ada', '1-1')).toEqual([event('1', 2)])
    expect(store.after('ada', '2-2')).toEqual([])
    expect(store.after('eve', '1-1')).toBe(undefined)
    store.forget('ada')
    expect(store.after('ada', '1-1')).toBe(undefined)
  })

  it('in memory forgets the oldest events of a session that says too much', () => {
    const store = new MemoryEventStore({ maxSessionLength: 3_000 })
    for (let count = 1; count <= 10; count++) store.append('ada', event('1', count, 'x'.repeat(800)))
    expect(store.after('ada', '1-7')).toBe(undefined)
    expect(store.after('ada', '1-8')).toHaveLength(2)
    store.append('ada', event('1', 11, 'x'.repeat(10_000)))
    expect(store.after('ada', '1-11')).toBe(undefined)
  })

  it('in memory forgets the sessions that have been quiet for longest', () => {
    const store = new MemoryEventStore({ maxLength: 3_000 })
    for (const session of ['ada', 'bob', 'ada', 'eve']) store.append(session, event('1', 1, 'x'.repeat(600)))
    expect(['ada', 'bob', 'eve'].map((session) => store.after(session, '1-1') !== undefined)).toEqual([
      true,
      false,
      true,
    ])
  })
})
