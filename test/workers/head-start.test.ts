import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { SpawnFailedError, TransportClosedError } from '../../src/errors.ts'
import { HeadStart } from '../../workers/head-start.ts'
import { fixture, livingPids, never, request, transportFor } from '../transports/stdio/harness.ts'

describe('a wire that was opened ahead of its connection', () => {
  it('carries what is sent once the connection opened it too', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    const ahead = new HeadStart(transport, () => {})
    await ahead.started
    await ahead.open(record, never)
    ahead.send(request(1, 'ping'))
    expect(await record.answer(1)).toMatchObject({ id: 1 })
    expect(record.names[0]).toBe('spawned')
  })

  it('keeps all it heard before that, to the end of its server, in order', async () => {
    const { transport, record } = transportFor({
      command: process.execPath,
      args: ['-e', 'console.error("first words"); console.log(`{"jsonrpc":"2.0","method":"hello"}`)'],
    })
    const ahead = new HeadStart(transport, () => {})
    await ahead.started
    // It ends by itself, and that is over when closing is.
    await ahead.close()
    expect(record.heard).toEqual([])
    await ahead.open(record, never)
    expect(record.names.at(0)).toBe('spawned')
    expect(record.names.slice(-2)).toEqual(['reaped', 'closed'])
  })

  it('holds a server back that says much before it is heard, and then hears all of it', async () => {
    const { transport, record } = transportFor(fixture('floods'))
    const ahead = new HeadStart(transport, () => {})
    await ahead.started
    ahead.send(request(1, 'tools/call', { name: 'flood', arguments: { count: 20_000, bytes: 100 } }))
    ahead.send(request(2, 'tools/call', { name: 'echo', arguments: { text: 'last' } }))
    for (let turn = 0; turn < 1_000; turn++) await setImmediate()
    await ahead.open(record, never)
    await record.answer(2)
    expect(record.messages).toHaveLength(20_002)
  })

  it('tells of its process at once', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    const spawned: number[] = []
    const ahead = new HeadStart(transport, (group) => spawned.push(group))
    await ahead.started
    expect(livingPids(spawned[0] ?? 0)).toEqual(spawned)
    await ahead.open(record, never)
    expect(record.all('spawned')).toMatchObject([{ group: spawned[0] }])
  })

  it('fails when the connection opens it, not before, if there is no server to start', async () => {
    const { transport, record } = transportFor({ command: 'no-such-command' })
    const ahead = new HeadStart(transport, () => {})
    await ahead.started
    await expect(ahead.open(record, never)).rejects.toBeInstanceOf(SpawnFailedError)
    expect(record.heard).toEqual([])
  })

  it('can be aborted as any other', async () => {
    const { transport, record } = transportFor(fixture('crlf'))
    const ahead = new HeadStart(transport, () => {})
    await expect(ahead.open(record, AbortSignal.abort())).rejects.toBeInstanceOf(TransportClosedError)
    await ahead.close()
    expect(record.all('spawned')).toEqual([])
  })
})
