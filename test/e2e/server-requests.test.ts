import { describe, expect, it } from 'vitest'
import type { ElicitRequest, ElicitResult, Hook } from '../../src/index.ts'
import { ask, connect, failureOf, fixture, hostings } from './harness.ts'
import { Heard } from './heard.ts'
import { error, legacyScripted, readBy, result, type Script } from './scripted.ts'

const colour = { role: 'assistant', content: { type: 'text', text: 'red' }, model: 'none' } as const

describe.each(hostings)('a request of a legacy server (%s)', (hosting) => {
  it('is answered by the hook that was wired for it', async () => {
    const { client } = connect({
      ...fixture('bare-legacy'),
      hosting,
      onElicit: ({ params }) => ({ action: 'accept', content: { name: String(params.message) } }),
      onSample: ({ params }) => ({ ...colour, content: { type: 'text', text: String(params.maxTokens) } }),
      onListRoots: () => ({ roots: [{ uri: 'file:///home' }] }),
    })
    expect(await ask(client, 'ask')).toEqual({
      jsonrpc: '2.0',
      id: 1,
      result: { action: 'accept', content: { name: 'Who are you?' } },
    })
    expect(await ask(client, 'sample')).toMatchObject({ id: 2, result: { content: { text: '20' } } })
    expect(await ask(client, 'roots')).toEqual({
      jsonrpc: '2.0',
      id: 3,
      result: { roots: [{ uri: 'file:///home' }] },
    })
    expect(await ask(client, 'session')).toMatchObject({
      capabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
    })
  })

  it('is refused where nothing was declared, each in its own way', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), hosting })
    const codes = []
    for (const tool of ['ask', 'sample', 'roots', 'unknown_request'])
      codes.push(Object(await ask(client, tool)).error.code)
    expect(codes).toEqual([-32602, -32601, -32601, -32601])
    expect(await ask(client, 'session')).toMatchObject({ capabilities: {} })
  })

  it('is refused in the shape of its kind when its hook fails', async () => {
    const fail = () => {
      throw new Error('nobody is here')
    }
    const hooks = { onElicit: fail, onSample: fail, onListRoots: fail }
    const { client, warnings } = connect({ ...fixture('bare-legacy'), hosting, ...hooks })
    expect(await ask(client, 'ask')).toMatchObject({ result: { action: 'decline' } })
    expect(await ask(client, 'sample')).toMatchObject({ error: { code: -1 } })
    expect(await ask(client, 'roots')).toMatchObject({ result: { roots: [] } })
    expect(warnings.all).toHaveLength(3)
  })
})

describe('a request of a legacy server', () => {
  it('to be pinged is answered at once', async () => {
    const { client } = connect(fixture('bare-legacy'))
    expect(await ask(client, 'ping_client')).toEqual({ jsonrpc: '2.0', id: 1, result: {} })
  })

  it('to open a page is refused where only forms were declared', async () => {
    const { client } = connect({ ...fixture('bare-legacy'), onElicit: () => ({ action: 'accept' }) })
    const params = { mode: 'url', message: '?', url: 'https://example.com', elicitationId: 'e' }
    expect(await ask(client, 'ask', { params })).toMatchObject({ error: { code: -32602 } })
  })

  it.each(['a string', 0, -7])('goes by the id %j too', async (requestId) => {
    const { client } = connect({ ...fixture('bare-legacy'), onElicit: () => ({ action: 'decline' }) })
    expect(await ask(client, 'ask', { requestId })).toEqual({
      jsonrpc: '2.0',
      id: requestId,
      result: { action: 'decline' },
    })
  })

  it('that is taken back at once is not answered', async () => {
    const onElicit: Hook<ElicitRequest, ElicitResult> = (_, { signal }) =>
      new Promise((resolve) => signal.addEventListener('abort', () => resolve({ action: 'accept' })))
    const { client } = connect({ ...fixture('bare-legacy'), onElicit })
    expect(await ask(client, 'ask_then_cancel')).toEqual({ requestId: 1 })
    expect(await client.ping()).toBe(true)
    expect(await ask(client, 'late_answers')).toEqual({ lateAnswers: [] })
  })

  it('whose hook answers with no object is declined, and the host is told', async () => {
    const onElicit = () => Object('yes').valueOf()
    const { client, warnings } = connect({ ...fixture('bare-legacy'), onElicit })
    expect(await ask(client, 'ask')).toMatchObject({ result: { action: 'decline' } })
    expect(warnings.all).toEqual([expect.stringMatching(/elicit hook returned no object.*was told no/)])
  })

  it('to open a page first reaches the caller as its error', async () => {
    const { client } = connect(fixture('bare-legacy'))
    await expect(client.callTool('url_required')).rejects.toMatchObject({
      name: 'ProtocolError',
      code: -32042,
      data: { elicitations: [{ mode: 'url', elicitationId: 'e-1' }] },
    })
  })

  it('is none of a modern server’s: it is dropped', async () => {
    const request = { id: 1, method: 'elicitation/create', params: { message: '?', requestedSchema: {} } }
    const server = fixture(
      'scripted',
      JSON.stringify({ 'tools/call': [[request, { id: '$id', result: { content: [] } }]] }),
    )
    const { client, warnings, stderr } = connect({ ...server, onElicit: () => ({ action: 'accept' }) })
    await client.callTool('any')
    await client.close()
    expect(warnings.all).toEqual(['a request of a modern server was dropped: elicitation/create'])
    expect((await readBy(stderr)).map(({ method }) => method)).toEqual(['server/discover', 'tools/call'])
  })
})

const twoResources = { resourceSubscriptions: ['legacy:///a', 'legacy:///b'] }

const subscribable = (script: Script) =>
  legacyScripted(
    '2025-11-25',
    { 'resources/unsubscribe': [[result({})]], ...script },
    { resources: { subscribe: true } },
  )

/** What a scripted server was asked to begin and to end, in order. */
async function subscriptionsOf(stderr: Heard<string>): Promise<string[]> {
  const read = await readBy(stderr)
  return read.flatMap(({ method, params }) => {
    if (method === 'resources/subscribe') return [`+ ${params?.uri}`]
    return method === 'resources/unsubscribe' ? [`- ${params?.uri}`] : []
  })
}

describe('listening to a legacy server', () => {
  it('subscribes to resources, and takes the list changes that come anyway', async () => {
    const { client } = connect(fixture('bare-legacy'))
    const subscription = await client.listen({
      resourceSubscriptions: ['legacy:///a'],
      toolsListChanged: true,
    })
    expect(await ask(client, 'session')).toMatchObject({ subscriptions: ['legacy:///a'] })
    await client.callTool('touch')
    await client.callTool('touch', { uri: 'legacy:///b' })
    for (const kind of ['prompts', 'tools'])
      await client.callTool('emit', { method: `notifications/${kind}/list_changed` })
    const notes = subscription[Symbol.asyncIterator]()
    expect((await notes.next()).value).toMatchObject({ params: { uri: 'legacy:///a' } })
    expect((await notes.next()).value).toEqual({ method: 'notifications/tools/list_changed', params: {} })
    await subscription.close()
    expect(await ask(client, 'session')).toMatchObject({ subscriptions: [] })
    expect(await notes.next()).toEqual({ done: true, value: undefined })
  })

  it('keeps a resource subscribed for as long as somebody wants it', async () => {
    const { client } = connect(fixture('bare-legacy'))
    const filter = { resourceSubscriptions: ['legacy:///a'] }
    const [first, second] = [await client.listen(filter), await client.listen(filter)]
    await first.close()
    expect(await ask(client, 'touch')).toEqual({ sent: true })
    await second.close()
    expect(await ask(client, 'touch')).toEqual({ sent: false })
  })

  it('leaves nothing subscribed when it is given up half-way', async () => {
    const asked = { method: 'notifications/message', params: { level: 'info', data: 'asked' } }
    const { client, stderr } = connect(
      subscribable({
        'resources/subscribe': [[asked]],
        // The third request was the subscription; it is answered now that nobody waits for it.
        ping: [[{ id: 3, result: {} }, result({})]],
      }),
    )
    const abort = new AbortController()
    const begun = new Heard<string>()
    client.on('notification', ({ method }) => begun.hear(method))
    const listening = failureOf(client.listen(twoResources, { signal: abort.signal }))
    await begun.first(() => true)
    abort.abort()
    expect(await listening).toMatchObject({ name: 'CancelledError' })
    await client.ping()
    await client.close()
    expect(await subscriptionsOf(stderr)).toEqual(['+ legacy:///a', '- legacy:///a'])
  })

  it('leaves nothing subscribed when one of its resources is refused', async () => {
    const { client, stderr } = connect(
      subscribable({
        'resources/subscribe': [[result({})], [error(-32002, 'no such resource')]],
        ping: [[result({})]],
      }),
    )
    expect(await failureOf(client.listen(twoResources))).toMatchObject({ code: -32002 })
    await client.ping()
    await client.close()
    expect(await subscriptionsOf(stderr)).toEqual(['+ legacy:///a', '+ legacy:///b', '- legacy:///a'])
  })

  it('honours nothing that the server never promised', async () => {
    const { client } = connect(fixture('noisy'))
    const subscription = await client.listen({ toolsListChanged: true, ...twoResources })
    expect(subscription.honoured).toEqual({})
  })
})
