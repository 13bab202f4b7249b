import { once } from 'node:events'
import { MessageChannel, Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { ConfigError, TransportClosedError } from '../../../src/errors.ts'
import { LeaseTable } from '../../../src/providers/leases/lease-table.ts'

const threads: Worker[] = []

afterEach(async () => {
  await Promise.all(threads.splice(0).map((thread) => thread.terminate()))
})

/** An agent in a thread of its own, at work on a path. */
async function agent(
  table: LeaseTable,
  options: { readonly paths: readonly string[]; readonly writes?: boolean },
) {
  const port = table.port()
  const workerData = { port, holder: 'far', ...options }
  const thread = new Worker(new URL('fixtures/agent.mjs', import.meta.url), {
    workerData,
    transferList: [port],
  })
  threads.push(thread)
  const [told] = await once(thread, 'message')
  return { thread, told }
}

describe('a table behind a port', () => {
  it('is the same table', async () => {
    const table = new LeaseTable({ defaultTtlMs: 60_000 })
    const { told } = await agent(table, { paths: ['/w/x'] })
    expect(told).toEqual({ kind: 'granted', paths: ['/w/x'] })
    expect(await table.acquire({ holder: 'near', paths: ['/w/x'] })).toMatchObject({
      refusal: { reason: 'conflict', holder: 'far' },
    })
  })

  it.each(['terminated', 'closed'])(
    'frees what a thread held when it is %s, even in the middle of a write',
    async (end) => {
      const table = new LeaseTable()
      const { thread } = await agent(table, { paths: ['/w/x'], writes: true })
      expect((await table.status()).pins).toHaveLength(1)
      const near = table.acquire({ holder: 'near', paths: ['/w/x'], waitMs: 60_000 })
      if (end === 'terminated') await thread.terminate()
      else thread.postMessage('go')
      expect(await near).toMatchObject({ kind: 'granted', leases: [{ generation: 2 }] })
      expect((await table.status()).pins).toEqual([])
    },
  )

  it('withdraws what waits when it closes', async () => {
    const table = new LeaseTable()
    await table.acquire({ holder: 'near', paths: ['/w/x'] })
    const far = await LeaseTable.connect(table.port())
    const waited = new Promise<string>((resolve) => {
      const onWait = ({ holder }: { readonly holder: string }) => resolve(holder)
      far.acquire({ holder: 'far', paths: ['/w/x'], waitMs: 60_000 }, { onWait }).catch(() => {})
    })
    expect(await waited).toBe('near')
    const gone = new Promise<void>((resolve) => {
      void table.acquire({ holder: 'last', paths: ['/w/x'], waitMs: 60_000 }).then(() => resolve())
    })
    far.close()
    const later = await LeaseTable.connect(table.port())
    await later.release({ holder: 'near' })
    await gone
    expect((await table.status()).waiters).toEqual([])
  })

  it('answers all that the table does', async () => {
    const table = new LeaseTable({ defaultTtlMs: 60_000 })
    const far = await LeaseTable.connect(table.port())
    expect(far.defaultTtlMs).toBe(60_000)
    await far.acquire({ holder: 'a', paths: ['/w/x', '/w/y'] })
    expect(await far.release({ holder: 'a', paths: ['/w/y', '/w/z'] })).toEqual({
      released: ['/w/y'],
      notHeld: ['/w/z'],
    })
    expect(await far.pin({ holder: 'a', paths: ['/w/x'], coverage: 'required' })).toEqual({
      kind: 'pinned',
      generations: [1],
    })
    expect((await far.status()).pins).toMatchObject([{ path: '/w/x' }])
    await far.unpin([1])
    expect(await far.releaseHolder('a')).toEqual(['/w/x'])
    expect(await far.releaseAll()).toEqual([])
    expect(await far.acquire({ holder: 'a', paths: ['/w/x'] })).toEqual({
      kind: 'refused',
      refusal: { reason: 'drained' },
    })
    far.close()
  })

  it('ends a wait by its signal', async () => {
    const table = new LeaseTable()
    await table.acquire({ holder: 'near', paths: ['/w/x'] })
    const far = await LeaseTable.connect(table.port())
    const patience = new AbortController()
    const onWait = () => patience.abort()
    const request = { holder: 'far', paths: ['/w/x'], waitMs: 60_000 }
    expect(await far.acquire(request, { signal: patience.signal, onWait })).toEqual({ kind: 'withdrawn' })
    far.close()
  })

  it('passes on errors as they are', async () => {
    const far = await LeaseTable.connect(new LeaseTable().port())
    await expect(far.acquire({ holder: '', paths: ['/w/x'] })).rejects.toBeInstanceOf(ConfigError)
    far.close()
  })

  it('that is closed rejects whatever is asked, and what was being asked', async () => {
    const table = new LeaseTable()
    await table.acquire({ holder: 'near', paths: ['/w/x'] })
    const far = await LeaseTable.connect(table.port())
    const waiting = far.acquire({ holder: 'far', paths: ['/w/x'], waitMs: 60_000 })
    far.close()
    await expect(waiting).rejects.toBeInstanceOf(TransportClosedError)
    await expect(far.status()).rejects.toBeInstanceOf(TransportClosedError)
  })

  it('takes nothing for a question that is none, and goes on', async () => {
    const table = new LeaseTable()
    const port = table.port()
    const answers: unknown[] = []
    port.on('message', (answer) => answers.push(answer))
    const nonsense = [null, 7, 'acquire', [], {}, { kind: 'drop', id: 1 }, { kind: 'status' }, { id: 1 }]
    for (const frame of nonsense) port.postMessage(frame)
    for (const [id, kind] of ['acquire', 'release', 'releaseHolder', 'pin', 'unpin'].entries())
      port.postMessage({ kind, id })
    port.postMessage({ kind: 'cancel', id: 99 })
    port.postMessage({ kind: 'status', id: 6 })
    while (answers.length < 7) await once(port, 'message')
    expect(answers).toMatchObject([
      { kind: 'here' },
      ...[0, 1, 2, 3, 4].map((id) => ({ kind: 'failure', id })),
      { kind: 'answer', id: 6 },
    ])
    port.close()
  })

  it('ends no write of others', async () => {
    const table = new LeaseTable()
    await table.acquire({ holder: 'near', paths: ['/w/x'] })
    await table.pin({ holder: 'near', paths: ['/w/x'], coverage: 'required' })
    const far = await LeaseTable.connect(table.port())
    await far.unpin([1])
    expect((await table.status()).pins).toMatchObject([{ holder: 'near', pins: 1 }])
    far.close()
  })

  it.each([[null], [7], [{}], [{ kind: 'gone' }]])('that begins with %j is none', async (frame) => {
    const { port1, port2 } = new MessageChannel()
    const connecting = LeaseTable.connect(port1)
    port2.postMessage(frame)
    await expect(connecting).rejects.toBeInstanceOf(TransportClosedError)
    port2.close()
  })

  it('ignores answers that are none', async () => {
    const { port1, port2 } = new MessageChannel()
    port2.postMessage({ kind: 'here', defaultTtlMs: 5 })
    const far = await LeaseTable.connect(port1)
    port2.once('message', () => {
      for (const frame of [null, 'x', {}, { kind: 'answer' }, { kind: 'answer', id: 7, answer: 'theirs' }])
        port2.postMessage(frame)
      port2.postMessage({ kind: 'answer', id: 1, answer: 'ours' })
    })
    expect(await far.status()).toBe('ours')
    far.close()
  })

  it('is gone when nobody is at the other end', async () => {
    const { port1, port2 } = new MessageChannel()
    const connecting = LeaseTable.connect(port1)
    port2.close()
    await expect(connecting).rejects.toBeInstanceOf(TransportClosedError)
  })
})
