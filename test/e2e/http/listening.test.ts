import { describe, expect, it } from 'vitest'
import type { Subscription } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { failureOf, textOf } from '../harness.ts'
import { type BareExchange, EventLines } from './bare.ts'
import { connect } from './harness.ts'
import { modern, toolList } from './modern.ts'

const everything = { toolsListChanged: true, resourceSubscriptions: ['a:///1'] }
const changed = 'notifications/tools/list_changed'
const stamp = ({ message }: BareExchange) => ({
  _meta: { 'io.modelcontextprotocol/subscriptionId': message.id },
})

/** One open subscription as its server sees it. */
class Listen extends EventLines {
  readonly left: Promise<void>
  readonly #stamp: JsonObject

  constructor(exchange: BareExchange, notifications: unknown = exchange.params.notifications) {
    exchange.stream()
    super(exchange)
    this.left = exchange.left
    this.#stamp = stamp(exchange)
    this.notify('notifications/subscriptions/acknowledged', { notifications, ...this.#stamp })
  }

  note(method = changed, params: JsonObject = {}): this {
    return this.notify(method, { ...params, ...this.#stamp })
  }

  finish(): void {
    this.answer({ resultType: 'complete', ...this.#stamp }).end()
  }
}

async function listenable(routes = {}) {
  const listens: Listen[] = []
  const server = await modern({
    'subscriptions/listen': (exchange) => listens.push(new Listen(exchange)),
    ...routes,
  })
  const listen = async (index: number): Promise<Listen> => {
    await server.exchange('subscriptions/listen', index)
    return listens[index] ?? expect.fail('was not acknowledged')
  }
  return { server, listen }
}

async function next(subscription: Subscription): Promise<unknown> {
  const { value, done } = await subscription[Symbol.asyncIterator]().next()
  return done ? 'the end' : value.method
}

describe('listening over HTTP', () => {
  it('brings notes to each subscription its own, until it is closed, which ends its exchange alone', async () => {
    const { server, listen } = await listenable()
    const { client, warnings } = connect(server, { url: server.url })
    const [one, two] = [await client.listen(everything), await client.listen({ promptsListChanged: true })]
    expect(one.honoured).toEqual(everything)
    const [first, second] = [await listen(0), await listen(1)]
    first.note().note('notifications/resources/updated', { uri: 'a:///1' })
    second.note('notifications/prompts/list_changed')
    expect([await next(one), await next(one)]).toEqual([changed, 'notifications/resources/updated'])
    expect(await next(two)).toBe('notifications/prompts/list_changed')
    await one.close()
    await first.left
    second.note('notifications/prompts/list_changed')
    expect(await next(two)).toBe('notifications/prompts/list_changed')
    expect(server.seen.map(({ name }) => name)).not.toContain('notifications/cancelled')
    expect(warnings.all).toEqual([])
  })

  it('ends when the server ends it', async () => {
    const { server, listen } = await listenable()
    const { client, warnings } = connect(server, { url: server.url })
    const subscription = await client.listen(everything)
    const open = await listen(0)
    open.note().finish()
    expect([await next(subscription), await next(subscription)]).toEqual([changed, 'the end'])
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
    expect(server.count('subscriptions/listen')).toBe(1)
    expect(warnings.all).toEqual([])
  })

  it.each<readonly [string, (open: Listen) => void]>([
    ['ends', (open) => open.end()],
    ['breaks off', (open) => open.cut()],
  ])('is asked for again when its stream %s, and nothing kept before is believed', async (_, lose) => {
    const kept = { ttlMs: 3_600_000, cacheScope: 'private' }
    const { server, listen } = await listenable({
      'tools/list': (exchange: BareExchange) => exchange.answer({ ...toolList({ name: 'one' }), ...kept }),
    })
    const { client, warnings } = connect(server, { url: server.url })
    const subscription = await client.listen(everything)
    for (const _again of [1, 2]) await client.listTools()
    expect(server.count('tools/list')).toBe(1)
    lose(await listen(0))
    const again = await listen(1)
    expect((await server.exchange('subscriptions/listen', 1)).params.notifications).toEqual(everything)
    again.note('notifications/resources/updated', { uri: 'a:///1' })
    expect(await next(subscription)).toBe('notifications/resources/updated')
    await client.listTools()
    expect(server.count('tools/list')).toBe(2)
    await subscription.close()
    await again.left
    expect(warnings.all).toEqual([])
  })

  it('that is closed while it is lost is not asked for again', async () => {
    const { server, listen } = await listenable()
    const { client } = connect(server, { url: server.url })
    const subscription = await client.listen(everything)
    const open = await listen(0)
    open.note().end()
    expect(await next(subscription)).toBe(changed)
    await subscription.close()
    const other = await client.listen({ promptsListChanged: true })
    const second = await listen(1)
    second.end()
    const third = await listen(2)
    third.note('notifications/prompts/list_changed')
    expect(await next(other)).toBe('notifications/prompts/list_changed')
    const filters = server.seen.slice(1).map(({ params }) => Object(params.notifications).promptsListChanged)
    expect(filters).toEqual([undefined, true, true])
  })

  it('ends with its connection', async () => {
    const { server, listen } = await listenable()
    const { client } = connect(server, { url: server.url })
    const reading = failureOf(next(await client.listen(everything)))
    const open = await listen(0)
    await client.close()
    expect(await reading).toMatchObject({ name: 'TransportClosedError' })
    await open.left
  })
})

describe('listening whose stream was lost', () => {
  it('goes on though the server is away for a moment', async () => {
    const open: Listen[] = []
    const listen = (exchange: BareExchange) => open.push(new Listen(exchange))
    const server = await modern({
      'subscriptions/listen': [listen, (exchange) => exchange.send(503), listen],
    })
    const { client } = connect(server, { url: server.url })
    const subscription = await client.listen(everything)
    open[0]?.cut()
    await server.exchange('subscriptions/listen', 2)
    open[1]?.note()
    expect(await next(subscription)).toBe(changed)
  })

  it('ends where the server no longer offers it', async () => {
    const server = await modern({
      'subscriptions/listen': [
        (exchange) => new Listen(exchange).end(),
        (exchange) => exchange.refuse(404, -32601, 'no more'),
      ],
    })
    const { client } = connect(server, { url: server.url })
    const subscription = await client.listen(everything)
    expect(await failureOf(next(subscription))).toMatchObject({ name: 'ProtocolError', message: 'no more' })
  })
})

describe('listening that never begins', () => {
  it.each<readonly [string, (exchange: BareExchange) => unknown, object]>([
    ['is refused', (exchange) => exchange.refuse(404, -32601), { name: 'ProtocolError', code: -32601 }],
    ['has no such thing', (exchange) => exchange.send(404), { name: 'HttpError', status: 404 }],
    ['ends unacknowledged', (exchange) => exchange.stream().end(), { name: 'HttpError', status: 200 }],
    ['is not acknowledged', (exchange) => exchange.stream(), { name: 'TimeoutError' }],
    ['is not even answered', () => undefined, { name: 'TimeoutError', method: 'subscriptions/listen' }],
  ])('fails: it %s', async (_, route, failure) => {
    const server = await modern({ 'subscriptions/listen': route })
    const { client } = connect(server, { url: server.url, requestTimeoutMs: 200 })
    expect(await failureOf(client.listen(everything))).toMatchObject(failure)
    expect(textOf(await client.callTool('echo'))).toBe('echo was called')
  })

  it('because nobody waits for it any more ends its exchange', async () => {
    const server = await modern({ 'subscriptions/listen': (exchange) => exchange.stream() })
    const { client } = connect(server, { url: server.url })
    const abort = new AbortController()
    const listening = failureOf(client.listen(everything, { signal: abort.signal }))
    const { left } = await server.exchange('subscriptions/listen')
    abort.abort()
    expect(await listening).toMatchObject({ name: 'CancelledError' })
    await left
  })
})
