import { describe, expect, it } from 'vitest'
import { CancelledError, HttpError, TimeoutError } from '../../../src/index.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { legacy } from './legacy.ts'
import { modern } from './modern.ts'

const isSlow = ({ tool }: BareExchange) => tool === 'slow'
const hold = (exchange: BareExchange) => {
  if (!isSlow(exchange)) exchange.answer(said(`${exchange.tool} was called`))
}
const streaming = (exchange: BareExchange) => {
  if (isSlow(exchange)) exchange.stream().notify('notifications/message', { level: 'info', data: 'begun' })
  else hold(exchange)
}

describe.each(hostings)('a call that is given up at a modern server (%s)', (hosting) => {
  it.each([
    ['unanswered', hold],
    ['half answered', streaming],
  ])('by its caller, while %s, ends its exchange and nothing else', async (_, answer) => {
    const server = await modern({ 'tools/call': answer })
    const { client, warnings } = connect(server, { url: server.url, hosting })
    const abort = new AbortController()
    const slow = failureOf(client.callTool('slow', {}, { signal: abort.signal }))
    const other = failureOf(client.callTool('slow'))
    const { left } = await server.exchange(isSlow)
    await server.exchange(isSlow, 1)
    abort.abort(new Error('changed my mind'))
    const failure = await slow
    expect(failure).toBeInstanceOf(CancelledError)
    expect(failure).toMatchObject({ method: 'tools/call', cause: { message: 'changed my mind' } })
    await left
    expect(textOf(await client.callTool('quick'))).toBe('quick was called')
    expect(
      server.seen.filter(({ response }) => response.destroyed && !response.writableFinished),
    ).toHaveLength(1)
    await client.close()
    expect(await other).toMatchObject({ name: 'TransportClosedError' })
    expect(warnings.all).toEqual([])
    expect(server.seen.map(({ name }) => name)).not.toContain('notifications/cancelled')
  })

  it.each([
    ['timeoutMs', { timeoutMs: 100 }],
    ['maxTotalTimeoutMs', { maxTotalTimeoutMs: 100 }],
  ])('by its %s ends its exchange', async (option, budget) => {
    const server = await modern({ 'tools/call': streaming })
    const { client } = connect(server, { url: server.url, hosting })
    const failure = await failureOf(client.callTool('slow', {}, budget))
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(failure).toMatchObject({ method: 'tools/call', timeoutMs: 100 })
    expect(Object(failure).message).toContain(option)
    await (await server.exchange(isSlow)).left
    expect(server.seen.map(({ name }) => name)).toEqual(['server/discover', 'tools/call'])
  })

  it('lives longer while it reports progress', async () => {
    const slow: { tick?: (progress: number) => void; finish?: () => void } = {}
    const server = await modern({
      'tools/call': (exchange) => {
        const { tool, params } = exchange
        if (tool === 'tick') slow.tick?.(server.count('tools/call'))
        if (tool === 'finish') slow.finish?.()
        if (tool !== 'slow') return tool !== 'hang' && exchange.answer(said('done'))
        const lines = exchange.stream()
        const { progressToken } = Object(params._meta)
        slow.tick = (progress) => lines.notify('notifications/progress', { progressToken, progress })
        slow.finish = () => lines.answer(said('patience')).end()
      },
    })
    const { client } = connect(server, { url: server.url, hosting })
    const waiting = client.callTool('slow', {}, { timeoutMs: 400, onProgress: () => undefined })
    for (let tick = 1; tick <= 6; tick++) {
      await failureOf(client.callTool('hang', {}, { timeoutMs: 150 }))
      await client.callTool('tick')
    }
    await client.callTool('finish')
    expect(textOf(await waiting)).toBe('patience')
  })

  it('before it began is never sent', async () => {
    const server = await modern()
    const { client } = connect(server, { url: server.url, hosting })
    const abort = new AbortController()
    const calls = [
      client.callTool('echo', {}, { signal: AbortSignal.abort() }),
      client.callTool('echo', {}, { signal: abort.signal }),
    ].map(failureOf)
    abort.abort()
    for (const failure of await Promise.all(calls)) expect(failure).toBeInstanceOf(CancelledError)
    await client.era()
    expect(server.count('tools/call')).toBe(0)
  })

  it('is answered too late to nobody', async () => {
    const server = await modern({ 'tools/call': hold })
    const { client, warnings } = connect(server, { url: server.url, hosting })
    await failureOf(client.callTool('slow', {}, { timeoutMs: 50 }))
    const slow = await server.exchange(isSlow)
    await slow.left
    slow.answer(said('too late'))
    expect(textOf(await client.callTool('quick'))).toBe('quick was called')
    expect(warnings.all).toEqual([])
  })
})

describe('a call that is given up at a legacy server', () => {
  it('by its budget is told to it, once, and its exchange ends', async () => {
    const server = await legacy({ 'tools/call': hold })
    const { client } = connect(server, { url: server.url })
    expect(await failureOf(client.callTool('slow', {}, { timeoutMs: 50 }))).toBeInstanceOf(TimeoutError)
    const slow = await server.exchange(isSlow)
    const { params } = await server.exchange('notifications/cancelled')
    await slow.left
    expect(params.requestId).toBe(slow.message.id)
    expect(textOf(await client.callTool('quick'))).toBe('quick was called')
    expect(server.count('notifications/cancelled')).toBe(1)
  })

  it('is not the handshake, which is never cancelled', async () => {
    const server = await legacy({ initialize: () => undefined })
    const { client } = connect(server, { url: server.url, requestTimeoutMs: 100 })
    expect(await failureOf(client.era())).toMatchObject({ name: 'TimeoutError', method: 'initialize' })
    await (await server.exchange('initialize')).left
    expect(server.seen.map(({ name }) => name)).toEqual(['server/discover', 'initialize'])
  })
})

describe('a server that falls silent', () => {
  it('fails the call it keeps waiting, where an idle time is set', async () => {
    const server = await modern({ 'tools/call': streaming })
    const { client } = connect(server, { url: server.url, idleTimeoutMs: 100 })
    const failure = await failureOf(client.callTool('slow'))
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure).toMatchObject({ status: 0, message: expect.stringContaining('idleTimeoutMs') })
    expect(textOf(await client.callTool('quick'))).toBe('quick was called')
  })
})
