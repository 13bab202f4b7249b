import { describe, expect, it } from 'vitest'
import { InvalidResultError, ProtocolError } from '../../../src/errors.ts'
import { type FakeAnswer, FakeTransport } from '../../../src/testing/index.ts'
import { Host } from '../harness.ts'

const page = (names: readonly string[], nextCursor?: unknown, ttlMs = 0) => ({
  tools: names.map((name) => ({ name, inputSchema: { type: 'object' } })),
  ...(nextCursor !== undefined && { nextCursor }),
  ttlMs,
})
const stale = { error: { code: -32602, message: 'unknown cursor' } }

const modern = (list: FakeAnswer) => Host.ready(FakeTransport.modern({ answers: { 'tools/list': list } }))
const legacy = (list: FakeAnswer) => Host.ready(FakeTransport.legacy({ answers: { 'tools/list': list } }))
const names = (items: unknown) => (items as { name: string }[]).map(({ name }) => name)
const cursors = (host: Host) => host.transport.sentOf('tools/list').map(({ params }) => params.cursor)

describe('a list', () => {
  it('is every page of it, in order', async () => {
    const host = await modern([page(['a'], 'x'), page(['b'], 'y'), page(['c'])])
    expect(names(await host.list('tools/list').answer)).toEqual(['a', 'b', 'c'])
    expect(cursors(host)).toEqual([undefined, 'x', 'y'])
  })

  it('of a modern server goes on at an empty cursor; of a legacy one it ends there', async () => {
    const pages = [page(['a'], ''), page(['b'])]
    const host = await modern(pages)
    expect(names(await host.list('tools/list').answer)).toEqual(['a', 'b'])
    expect(cursors(host)).toEqual([undefined, ''])
    const old = await legacy(pages)
    expect(names(await old.list('tools/list').answer)).toEqual(['a'])
  })

  it('ends at a cursor that is none', async () => {
    const host = await modern(page(['a'], null))
    expect(names(await host.list('tools/list').answer)).toEqual(['a'])
  })

  it('that runs in circles ends where it begins again, with a warning', async () => {
    const host = await modern([page(['a'], 'x'), page(['b'], 'y'), page(['c'], 'x')])
    expect(names(await host.list('tools/list').answer)).toEqual(['a', 'b', 'c'])
    expect(host.warnings).toEqual([expect.stringContaining('tools/list runs in circles')])
  })

  it('that never ends is cut off, with a warning', async () => {
    let pages = 0
    const host = await modern(() => page([`t${pages}`], `c${pages++}`))
    expect(await host.list('tools/list').answer).toHaveLength(1_000)
    expect(host.warnings).toEqual(['tools/list never ends: stopped after 1000 pages'])
  })

  it('that is larger than any should be is cut off, with a warning', async () => {
    let pages = 0
    const padding = 'x'.repeat(10_000_000)
    const host = await modern(() => ({ ...page([`t${pages}`], `c${pages++}`), padding }))
    expect(await host.list('tools/list').answer).toHaveLength(7)
    expect(host.warnings).toEqual([expect.stringMatching(/^tools\/list is too large: stopped after 7 pages/)])
  })

  it('whose cursor went stale is asked for afresh, once, and nothing kept of it is used', async () => {
    const host = await modern([page(['old'], 'x', 60_000), stale, page(['a'], 'y'), page(['b'])])
    expect(names(await host.list('tools/list').answer)).toEqual(['a', 'b'])
    expect(cursors(host)).toEqual([undefined, 'x', undefined, 'y'])
    const hopeless = await modern((request) => (request.params.cursor ? stale : page(['a'], 'x')))
    await expect(hopeless.list('tools/list').answer).rejects.toMatchObject({
      constructor: ProtocolError,
      code: -32602,
    })
    expect(cursors(hopeless)).toEqual([undefined, 'x', undefined, 'x'])
  })

  it('that is refused at its first page is not asked for again', async () => {
    const host = await modern(stale)
    await expect(host.list('tools/list').answer).rejects.toBeInstanceOf(ProtocolError)
    expect(cursors(host)).toEqual([undefined])
  })

  it('leaves out entries that nothing can be done with, and says so', async () => {
    const host = await modern({
      tools: [{ name: 'a', inputSchema: {} }, { name: 'b' }, { name: 5, inputSchema: {} }, null, 'c', {}],
    })
    expect(names(await host.list('tools/list').answer)).toEqual(['a'])
    expect(host.warnings[0]).toBe(
      'tools/list lists something unusable: an entry without name or inputSchema was left out',
    )
  })

  it.each([[{}], [{ tools: {} }], [{ resultType: 'hologram', tools: [] }]])(
    'that is none fails: %j',
    async (answer) => {
      const host = await modern(answer)
      await expect(host.list('tools/list').answer).rejects.toBeInstanceOf(InvalidResultError)
    },
  )

  it.each([
    ['resources/list', { resources: [{ uri: 'a' }, {}] }],
    ['resources/templates/list', { resourceTemplates: [{ uriTemplate: 'a' }, {}] }],
    ['prompts/list', { prompts: [{ name: 'a' }, {}] }],
  ] as const)('%s stands in its own member', async (method, answer) => {
    const host = await Host.ready(FakeTransport.modern({ answers: { [method]: answer } }))
    expect(await host.list(method).answer).toHaveLength(1)
  })
})

describe('a list that may be kept', () => {
  it('is asked for again when its time is over, page by page', async () => {
    const host = await modern((request) =>
      request.params.cursor ? page(['b'], undefined, 50) : page(['a'], 'x', 100),
    )
    await host.list('tools/list').answer
    await host.clock.advanceAsync(49)
    await host.list('tools/list').answer
    expect(cursors(host)).toEqual([undefined, 'x'])
    await host.clock.advanceAsync(1)
    await host.list('tools/list').answer
    expect(cursors(host)).toEqual([undefined, 'x', 'x'])
    await host.clock.advanceAsync(50)
    await host.list('tools/list').answer
    expect(cursors(host)).toEqual([undefined, 'x', 'x', undefined, 'x'])
  })

  it('is asked for again when the host insists, or the server says that it changed', async () => {
    const host = await modern(page(['a'], undefined, 60_000))
    await host.list('tools/list').answer
    await host.list('tools/list', { refresh: true }).answer
    expect(cursors(host)).toHaveLength(2)
    host.transport.push({ method: 'notifications/prompts/list_changed' })
    await host.list('tools/list').answer
    expect(cursors(host)).toHaveLength(2)
    host.transport.push({ method: 'notifications/tools/list_changed' })
    await host.list('tools/list').answer
    expect(cursors(host)).toHaveLength(3)
  })

  it('is none of a legacy server’s', async () => {
    const host = await legacy(page(['a'], undefined, 60_000))
    await host.list('tools/list').answer
    await host.list('tools/list').answer
    expect(cursors(host)).toHaveLength(2)
  })
})

describe('the budget of a list', () => {
  it('holds for each page, its total for all of them', async () => {
    const host = await Host.ready(FakeTransport.modern({ answers: { 'tools/list': 'silence' } }))
    const list = host.list('tools/list', { budget: { timeoutMs: 100, maxTotalTimeoutMs: 150 } })
    await host.clock.advanceAsync(90)
    host.transport.respond(await host.transport.nextSent('tools/list'), page(['a'], 'x'))
    await host.clock.advanceAsync(59)
    expect(host.of('failure')).toEqual([])
    await host.clock.advanceAsync(1)
    await expect(list.answer).rejects.toMatchObject({ name: 'TimeoutError', timeoutMs: 150 })
    expect(host.clock.pending).toBe(0)
  })
})
