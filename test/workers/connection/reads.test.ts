import { describe, expect, it } from 'vitest'
import { FakeTransport } from '../../../src/testing/index.ts'
import { asking, Host } from '../harness.ts'

const read = 'resources/read'
const contents = (text: string, ttlMs = 60_000) => ({
  contents: [{ uri: 'a', text }],
  ttlMs,
  cacheScope: 'public',
})
const updated = (uri: unknown) => ({ method: 'notifications/resources/updated', params: { uri } })

async function hostOf(answer: ReturnType<typeof contents>, preset = FakeTransport.modern) {
  const host = await Host.ready(preset({ answers: { [read]: answer } }))
  const readOf = (uri: string, refresh = false) => host.call(read, { uri }, { refresh }).answer
  const asked = () => host.transport.sentOf(read).length
  return { host, readOf, asked }
}

describe('a resource that was read', () => {
  it('is kept for as long as its server says, without its bookkeeping', async () => {
    const { host, readOf, asked } = await hostOf(contents('x', 100))
    expect(await readOf('a')).toEqual({ contents: [{ uri: 'a', text: 'x' }] })
    await host.clock.advanceAsync(99)
    expect(await readOf('a')).toEqual({ contents: [{ uri: 'a', text: 'x' }] })
    expect(asked()).toBe(1)
    await host.clock.advanceAsync(1)
    await readOf('a')
    expect(asked()).toBe(2)
    expect(host.clock.pending).toBe(0)
  })

  it('is kept by its uri, and read afresh on demand', async () => {
    const { readOf, asked } = await hostOf(contents('x'))
    await readOf('a')
    await readOf('b')
    await readOf('a', true)
    expect(asked()).toBe(3)
    await readOf('b')
    expect(asked()).toBe(3)
  })

  it.each([
    ['file:///a', 'file:///a', 2],
    ['file:///a/b', 'file:///a', 1],
    ['file:///a', 'file:///a/b', 2],
    ['file:///a', 'file:///ab', 1],
    ['file:///a', 5, 1],
  ])('%s is forgotten when %s is updated, or not: %d reads', async (uri, changed, reads) => {
    const { host, readOf, asked } = await hostOf(contents('x'))
    await readOf(uri)
    host.transport.push(updated(changed))
    await readOf(uri)
    expect(asked()).toBe(reads)
  })

  it('is not kept of a legacy server', async () => {
    const { readOf, asked } = await hostOf(contents('x'), FakeTransport.legacy)
    await readOf('a')
    await readOf('a')
    expect(asked()).toBe(2)
  })

  it('after it was asked for input is not kept', async () => {
    const asks = { resultType: 'input_required', requestState: 's' }
    const answers = { [read]: [asks, contents('x'), contents('y')] }
    const host = await Host.ready(FakeTransport.modern({ answers }), asking)
    const first = host.call(read, { uri: 'a' })
    await host.clock.advanceAsync(100)
    await first.answer
    await host.call(read, { uri: 'a' }).answer
    expect(host.transport.sentOf(read)).toHaveLength(3)
  })
})

describe('a result', () => {
  it.each([
    ['tools/call', {}],
    ['resources/read', { content: [] }],
    ['prompts/get', {}],
    ['completion/complete', {}],
  ])('of %s that lacks what it cannot be without is invalid', async (method, body) => {
    const host = await Host.ready(FakeTransport.modern({ answers: { [method]: body } }))
    await expect(host.call(method).answer).rejects.toMatchObject({ name: 'InvalidResultError', method })
  })

  it('of a tool is checked against the schema it listed last', async () => {
    const tool = { name: 'sum', inputSchema: {}, outputSchema: { type: 'object', required: ['n'] } }
    const answers = {
      'tools/list': { tools: [tool] },
      'tools/call': [{ structuredContent: {} }, { structuredContent: {} }, { structuredContent: { n: 1 } }],
    }
    const host = await Host.ready(FakeTransport.modern({ answers }))
    expect(await host.call('tools/call', { name: 'sum' }).answer).toEqual({
      content: [],
      structuredContent: {},
    })
    await host.list('tools/list').answer
    await expect(host.call('tools/call', { name: 'sum' }).answer).rejects.toThrow(
      "must have required property 'n'",
    )
    expect(await host.call('tools/call', { name: 'sum' }).answer).toEqual({
      content: [],
      structuredContent: { n: 1 },
    })
    expect(host.clock.pending).toBe(0)
  })

  it('that must be a task, but was not declared, is invalid', async () => {
    const task = { resultType: 'task', taskId: 't', status: 'working' }
    const host = await Host.ready(FakeTransport.modern({ answers: { 'tools/call': task } }))
    await expect(host.call('tools/call', { name: 'a' }).answer).rejects.toMatchObject({
      name: 'InvalidResultError',
    })
  })
})
