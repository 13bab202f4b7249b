import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { ActorRefLike, InspectionEvent } from 'xstate'
import type { StandIn } from '../../../src/client/inspection/stand-in.ts'
import { type Inspect, McpClient, type StdioClientOptions } from '../../../src/index.ts'

const modern = fileURLToPath(new URL('../../fixtures/servers/modern.mjs', import.meta.url))
const hostings = ['worker', 'inline'] as const

describe.each(hostings)('a watched connection, hosted %s', (hosting) => {
  it('shows each state its machine went through, and the event that led to it', async () => {
    const { seen, run } = watch({ hosting })
    await run((client) => client.era())
    const states = seen.filter(isSnapshot).map(({ snapshot, event }) => [value(snapshot), event.type])
    expect(states).toEqual([
      ['idle', expect.any(String)],
      ['opening', 'open'],
      ['probing', 'xstate.done.actor.0.connection.opening'],
      [{ modern: 'ready' }, 'xstate.done.actor.0.connection.probing'],
      ['closing', 'close'],
      ['closed', 'xstate.done.actor.0.connection.closing'],
    ])
  })

  it('shows every message on its wire, as events between it and its server', async () => {
    const { seen, run } = watch({ hosting })
    await run((client) => client.callTool('echo', { text: 'hi' }))
    const messages = seen.filter(isWire).map(({ actorRef, sourceRef, event }) => ({
      from: nameOf(sourceRef),
      to: nameOf(actorRef),
      type: event.type,
      wire: event.wire,
    }))
    expect(messages).toEqual([
      { from: 'connection', to: 'server', type: 'server/discover', wire: 'sent' },
      { from: 'server', to: 'connection', type: 'result', wire: 'received' },
      { from: 'connection', to: 'server', type: 'tools/call', wire: 'sent' },
      { from: 'server', to: 'connection', type: 'result', wire: 'received' },
    ])
  })

  it('shows a round trip as a machine of its own, below the connection', async () => {
    const { seen, run } = watch({ hosting, onElicit: () => ({ action: 'accept', content: { name: 'Ada' } }) })
    await run((client) => client.callTool('ask_name'))
    const [roundTrip] = seen.filter(({ type, actorRef }) => type === '@xstate.actor' && isRoundTrip(actorRef))
    expect(roundTrip?.actorRef.sessionId).toMatch(/^watched#\d+\/call-\d+$/)
    const states = seen
      .filter(isSnapshot)
      .filter(({ actorRef }) => isRoundTrip(actorRef))
      .map(({ snapshot }) => value(snapshot))
    expect(states).toEqual(['collecting', 'retrying', 'answered'])
  })

  it('hides secrets before they leave the thread', async () => {
    const { seen, run } = watch({ hosting })
    await run((client) => client.callTool('echo', { text: 'hi', password: 'hunter2' }))
    const texts = seen.filter(isWire).map(({ event }) => event.text)
    expect(texts.join()).toContain('***')
    expect(texts.join()).not.toContain('hunter2')
  })

  it('hides the variables it was given wherever they turn up', async () => {
    const { seen, client } = watch({ hosting, env: { PLAIN: 'rosebud-in-the-snow' } })
    await client.callTool('echo', { text: 'it was rosebud-in-the-snow' })
    await client.callTool('echo', { text: `${'x'.repeat(495)} rosebud-in-the-snow` })
    await client.close()
    const shown = JSON.stringify(seen.filter(isWire).map(({ event }) => event))
    expect(shown).toContain('it was ***')
    expect(shown).not.toContain('rosebud')
  })

  it('cuts what is long, and says how long it was', async () => {
    const { seen, run } = watch({ hosting })
    await run((client) => client.callTool('big', { bytes: 3_000_000 }))
    const last = seen.filter(isWire).at(-1)?.event
    expect(last?.size).toBeGreaterThan(3_000_000)
    expect(String(last?.text).length).toBeLessThan(10_000)
  })

  it('shows a server that is killed, with the reason', async () => {
    const { seen, client } = watch({ hosting })
    await client.era()
    process.kill(client.processId ?? Number.NaN, 'SIGKILL')
    await expect(client.callTool('hang')).rejects.toThrow()
    await client.close()
    const last = seen.filter(isSnapshot).at(-1)
    expect(last?.snapshot).toMatchObject({
      value: 'closed',
      status: 'done',
      context: { failure: { name: 'ServerGoneError', fields: { signal: 'SIGKILL' } } },
    })
  })

  it('is told the states alone while nobody looks, and everything once somebody does', async () => {
    const eye = new Eye()
    const { seen, client } = watch({ hosting }, eye)
    await client.callTool('echo', { text: 'unseen' })
    expect(seen.filter(isWire)).toEqual([])
    expect(seen.filter(isSnapshot).map(({ snapshot }) => value(snapshot))).toContainEqual({ modern: 'ready' })
    eye.open()
    await seenAfter(client, () => seen.some(isWire))
    eye.close()
    await seenAfter(client, () => {
      const before = seen.filter(isWire).length
      return () => seen.filter(isWire).length === before
    })
    await client.close()
    expect(eye.listeners.size).toBe(0)
  })

  it('goes on when its observer throws, and says so', async () => {
    const warnings: string[] = []
    const client = connect({
      hosting,
      inspect: () => {
        throw new Error('blind')
      },
      onWarn: (message) => warnings.push(message),
    })
    await expect(client.callTool('echo', { text: 'hi' })).resolves.toMatchObject({
      content: [{ text: 'hi' }],
    })
    await client.close()
    expect(warnings).toContain('inspect threw: blind')
  })
})

describe('the options of watching', () => {
  it.each([7, 'page', null, { next: 'page' }])('refuse %j as an observer', (inspect) => {
    expect(() => connect({ inspect: inspect as never })).toThrow(
      /inspect: must be an XState inspection observer/,
    )
  })

  it('name a connection by its command unless told otherwise, and never twice', async () => {
    const names = new Set<string>()
    const inspect: Inspect = ({ actorRef }) => names.add((actorRef as StandIn).server)
    for (const client of [connect({ inspect }), connect({ inspect })]) await client.close()
    expect([...names]).toEqual([
      expect.stringMatching(/^node .*modern\.mjs \d+$/),
      expect.stringMatching(/^node .*modern\.mjs \d+$/),
    ])
  })
})

/** Looks when told. */
class Eye {
  readonly listeners = new Set<(isOn: boolean) => void>()
  isOn = false

  onChange(listener: (isOn: boolean) => void): () => void {
    this.listeners.add(listener)
    return () => void this.listeners.delete(listener)
  }

  open(): void {
    this.#turn(true)
  }

  close(): void {
    this.#turn(false)
  }

  #turn(isOn: boolean): void {
    this.isOn = isOn
    for (const listener of this.listeners) listener(isOn)
  }
}

function connect(options: Partial<StdioClientOptions>): McpClient {
  const client = McpClient.connectStdio({ command: process.execPath, args: [modern], ...options })
  onTestFinished(() => client.close())
  return client
}

function watch(options: Partial<StdioClientOptions>, watching?: Eye) {
  const seen: InspectionEvent[] = []
  const inspect: Inspect = { next: (event) => seen.push(event), watching }
  const client = connect({ ...options, inspect, inspectAs: 'watched' })
  const run = async (use: (client: McpClient) => Promise<unknown>) => {
    await use(client)
    await client.close()
  }
  return { seen, client, run }
}

/** Turning it on and off overtakes no call and is overtaken by none that matters: calls until it has come about. */
async function seenAfter(client: McpClient, prepare: () => boolean | (() => boolean)): Promise<void> {
  for (;;) {
    const prepared = prepare()
    await client.callTool('echo', { text: 'again' })
    if (typeof prepared === 'function' ? prepared() : prepared) return
  }
}

function isSnapshot(event: InspectionEvent): event is Extract<InspectionEvent, { type: '@xstate.snapshot' }> {
  return event.type === '@xstate.snapshot'
}

function isWire(event: InspectionEvent): event is Extract<InspectionEvent, { type: '@xstate.event' }> {
  return event.type === '@xstate.event' && 'wire' in event.event
}

function isRoundTrip(actorRef: ActorRefLike): boolean {
  return (actorRef as StandIn).logic?.id === 'roundTrip'
}

function nameOf(actorRef: ActorRefLike | undefined): string | undefined {
  return (actorRef as StandIn | undefined)?.id
}

function value(snapshot: unknown): unknown {
  return (snapshot as { readonly value?: unknown }).value
}
