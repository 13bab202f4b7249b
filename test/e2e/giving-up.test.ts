import { describe, expect, it } from 'vitest'
import { CancelledError, TimeoutError } from '../../src/index.ts'
import { ask, connect, failureOf, fixture, hostings, type Server, textOf } from './harness.ts'

const bare: readonly [string, Server][] = [
  ['modern', fixture('bare-modern')],
  ['legacy', fixture('bare-legacy')],
]

describe.each(hostings)('a call that is given up (%s)', (hosting) => {
  it.each(bare)('by its caller is cancelled at a %s server', async (_, server) => {
    const { client } = connect({ ...server, hosting })
    const abort = new AbortController()
    const slow = failureOf(client.callTool('slow', {}, { signal: abort.signal }))
    await client.callTool('tick')
    const reason = new Error('changed my mind')
    abort.abort(reason)
    const failure = await slow
    expect(failure).toBeInstanceOf(CancelledError)
    expect(failure).toMatchObject({ code: 'CANCELLED', method: 'tools/call', cause: reason })
    expect(await ask(client, 'cancelled')).toEqual({
      cancelled: [{ requestId: expect.any(Number), reason: expect.any(String) }],
    })
  })

  it.each(bare)('by its budget is cancelled at a %s server', async (_, server) => {
    const { client } = connect({ ...server, hosting })
    const failure = await failureOf(client.callTool('slow', {}, { timeoutMs: 50 }))
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(failure).toMatchObject({ code: 'TIMEOUT', method: 'tools/call', timeoutMs: 50 })
    expect(await ask(client, 'cancelled')).toMatchObject({ cancelled: [{}] })
  })

  it.each(bare)('is answered by a %s server to nobody', async (_, server) => {
    const { client, warnings } = connect({ ...server, hosting })
    await failureOf(client.callTool('slow', {}, { timeoutMs: 50 }))
    await client.callTool('release', { late: true })
    await warnings.first((warning) => warning.startsWith('an answer nobody waits for was dropped'))
    expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
  })
})

describe('a call', () => {
  it('that was aborted before it began is never sent', async () => {
    const { client } = connect(fixture('bare-modern'))
    const aborted = AbortSignal.abort(new Error('too late'))
    expect(await failureOf(client.callTool('echo', {}, { signal: aborted }))).toBeInstanceOf(CancelledError)
    expect(await failureOf(client.listTools({ signal: aborted }))).toMatchObject({ method: 'tools/list' })
    expect(await ask(client, 'served')).toEqual({ 'server/discover': 1, 'tools/call': 1 })
    expect(await ask(client, 'cancelled')).toEqual({ cancelled: [] })
  })

  it('that is aborted while the server is being probed is never sent', async () => {
    const { client } = connect(fixture('bare-modern'))
    const abort = new AbortController()
    const call = failureOf(client.callTool('slow', {}, { signal: abort.signal }))
    abort.abort()
    expect(await call).toBeInstanceOf(CancelledError)
    expect(await ask(client, 'served')).toEqual({ 'server/discover': 1, 'tools/call': 1 })
  })

  it('stops a handler of the official server when it is aborted', async () => {
    const { client, stderr } = connect(fixture('modern'))
    const abort = new AbortController()
    const call = failureOf(client.callTool('hang', {}, { signal: abort.signal }))
    await client.callTool('echo', { text: 'it hangs by now' })
    abort.abort()
    await call
    expect(await stderr.first((line) => line.startsWith('cancelled'))).toContain('cancelled by the caller')
  })

  it('that was answered is not cancelled by a later abort', async () => {
    const { client } = connect(fixture('bare-modern'))
    const abort = new AbortController()
    await client.callTool('echo', { text: '' }, { signal: abort.signal })
    abort.abort()
    expect(await ask(client, 'cancelled')).toEqual({ cancelled: [] })
  })

  it('takes as long as it takes with a budget of 0, also beyond what a timer can hold', async () => {
    const { client } = connect({ ...fixture('bare-modern'), requestTimeoutMs: 1 })
    const patient = [0, 2 ** 31, 2 ** 40].map((timeoutMs) => client.callTool('slow', {}, { timeoutMs }))
    expect(await failureOf(client.callTool('slow'))).toMatchObject({ timeoutMs: 1 })
    await client.callTool('release', {}, { timeoutMs: 0 })
    expect((await Promise.all(patient)).map(textOf)).toEqual(['released', 'released', 'released'])
  })

  it('has no time taken from it by the probe', async () => {
    const { client } = connect({ ...fixture('silent-on-discover'), probeTimeoutMs: 600 })
    const call = client.callTool('echo', { text: 'slowly' }, { timeoutMs: 550 })
    expect(textOf(await call)).toBe('slowly')
  })

  it('fails alone when its budget runs out', async () => {
    const { client } = connect(fixture('bare-legacy'))
    const other = client.callTool('slow')
    await failureOf(client.callTool('slow', {}, { timeoutMs: 50 }))
    await client.callTool('release')
    expect(textOf(await other)).toBe('released')
  })

  it('can be one of very many, all given up at once', async () => {
    const { client } = connect(fixture('bare-modern'))
    await client.era()
    const abort = new AbortController()
    const calls = Array.from({ length: 100 }, () =>
      failureOf(client.callTool('slow', {}, { signal: abort.signal })),
    )
    await client.callTool('tick')
    abort.abort()
    const failures = await Promise.all(calls)
    expect(failures.every((failure) => failure instanceof CancelledError)).toBe(true)
    expect(await ask(client, 'cancelled')).toMatchObject({ cancelled: { length: 100 } })
  })
})
