import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HttpError, InvalidResultError, MessageTooLargeError } from '../../../src/errors.ts'
import { FakeTransport } from '../../../src/testing/index.ts'
import { jsonObject, nearlyMessage } from '../../protocol/arbitraries.ts'
import { Host } from '../harness.ts'

const silent = { answers: { a: 'silence' } } as const
const result = (id: unknown) => ({ jsonrpc: '2.0', id, result: {} })

async function asked(transport = FakeTransport.modern(silent)) {
  const host = await Host.ready(transport)
  const { answer } = host.call('a')
  const { id } = await host.transport.nextSent('a')
  return { host, id, answer }
}

describe('what comes in', () => {
  it('answers only the request whose id it names, of the same type', async () => {
    const { host, id, answer } = await asked()
    host.transport.raw(result(String(id)))
    host.transport.raw(result(999))
    expect(host.of('result')).toEqual([])
    expect(host.warnings).toEqual([
      `an answer nobody waits for was dropped: id ${id}`,
      'an answer nobody waits for was dropped (2 so far): id 999',
    ])
    host.transport.raw(result(id))
    expect(await answer).toEqual({})
  })

  it('is an error without id: it answers the only request that waits, and none when there are two', async () => {
    const error = { jsonrpc: '2.0', id: null, error: { code: -32700, message: 'what?' } }
    const { host, answer } = await asked()
    host.transport.raw(error)
    await expect(answer).rejects.toMatchObject({ code: -32700 })
    host.call('a')
    host.call('a')
    host.transport.raw(error)
    expect(host.of('failure')).toHaveLength(1)
    expect(host.warnings).toEqual(['an answer nobody waits for was dropped: it has no id'])
  })

  it('fails the request it answers when it is no answer', async () => {
    const { host, id, answer } = await asked()
    host.transport.raw({ jsonrpc: '2.0', id, result: 'odd' })
    await expect(answer).rejects.toMatchObject({
      constructor: InvalidResultError,
      message: expect.stringContaining('result is not an object'),
    })
  })

  it('is a broken request of the server: it fails none of ours that has the same number', async () => {
    const { host, id, answer } = await asked(FakeTransport.legacy(silent))
    host.transport.raw({ jsonrpc: '2.0', id, method: 'ping', params: [] })
    expect(host.of('failure')).toEqual([])
    expect(host.warnings).toEqual(['an invalid message was dropped: params is not an object'])
    host.transport.raw(result(id))
    await answer
  })

  it('was too large: the request it answers fails, if it can be known', async () => {
    const { host, id, answer } = await asked()
    host.transport.wire.oversize(undefined, 10)
    host.transport.wire.oversize(999, 10)
    expect(host.of('failure')).toEqual([])
    host.transport.wire.oversize(id, 10)
    await expect(answer).rejects.toMatchObject({ constructor: MessageTooLargeError, maxMessageBytes: 10 })
    expect(host.warnings).toHaveLength(2)
  })

  it('is noise: it is counted and shown', async () => {
    const { host } = await asked()
    host.transport.wire.noise('Server ready!')
    expect(host.warnings).toEqual(['the wire carried something that is no message: Server ready!'])
  })

  it('may fail one exchange alone', async () => {
    const { host, id, answer } = await asked()
    const failure = new MessageTooLargeError({ maxMessageBytes: 1 })
    host.transport.wire.failed?.(id ?? 0, failure, false)
    await expect(answer).rejects.toBeInstanceOf(MessageTooLargeError)
  })

  it('may be refused unexecuted, with its session: then the call is sent once more in the next', async () => {
    const { host, id, answer } = await asked(FakeTransport.legacy(silent))
    const failure = new HttpError({ status: 404, reason: 'no such session' })
    host.transport.wire.sessionLost?.()
    host.transport.wire.failed?.(id ?? 0, failure, true)
    const again = await host.transport.nextSent('a')
    expect(host.transport.sentOf('initialize')).toHaveLength(2)
    host.transport.wire.sessionLost?.()
    host.transport.wire.failed?.(again.id ?? 0, failure, true)
    await expect(answer).rejects.toBeInstanceOf(HttpError)
    expect(host.transport.sentOf('a')).toHaveLength(2)
  })

  it('is a batch, in the one version that has them', async () => {
    const { host, id, answer } = await asked(
      FakeTransport.legacy({ ...silent, protocolVersion: '2025-03-26' }),
    )
    host.transport.raw([{ jsonrpc: '2.0', method: 'note' }, result(id), 5, null])
    expect(await answer).toEqual({})
    expect(host.of('notification').map(({ notification }) => notification.method)).toEqual(['note'])
    const other = await asked()
    other.host.transport.raw([result(other.id)])
    expect(other.host.warnings).toEqual(['a batch was dropped: arrays of messages belong to 2025-03-26 only'])
  })

  it('never harms the connection, whatever it is', async () => {
    for (const preset of [FakeTransport.modern, FakeTransport.legacy]) {
      const { host } = await asked(preset(silent))
      fc.assert(
        fc.property(fc.oneof(nearlyMessage, jsonObject, fc.array(nearlyMessage)), (any) => {
          host.transport.raw(any)
        }),
      )
      host.transport.answer('b', { still: 'here' })
      expect(await host.call('b').answer).toEqual({ still: 'here' })
    }
  })
})
