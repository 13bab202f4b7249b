import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, it } from 'vitest'
import { windowChars } from '../../workers/credit.ts'
import type { Downlink, Uplink } from '../../workers/frames.ts'
import { PortChannel } from '../../workers/port-channel.ts'
import { deferred } from '../model/deferred.ts'

const opened: MessageChannel[] = []
afterEach(() => {
  for (const { port1 } of opened.splice(0)) port1.close()
})

/** A worker's end and a host's end; `parcels` counts what crosses as one message. */
function channels(expected: number) {
  const channel = new MessageChannel()
  opened.push(channel)
  const received: Uplink[] = []
  const all = deferred<readonly Uplink[]>()
  let parcels = 0
  const flow: string[] = []
  channel.port2.on('message', () => {
    parcels += 1
  })
  new PortChannel<Downlink, Uplink>(channel.port2, (frame) => {
    received.push(frame)
    if (received.length === expected) all.resolve(received)
  })
  const resumed = deferred<void>()
  const worker = new PortChannel<Uplink, Downlink>(channel.port1, () => {}, {
    flow: {
      pause: () => flow.push('pause'),
      resume: () => {
        flow.push('resume')
        resumed.resolve()
      },
    },
  })
  return {
    worker,
    received: all.promise,
    parcels: () => parcels,
    flow,
    resumed: resumed.promise,
    soFar: received,
    host: channel.port2,
  }
}

const small = (id: number): Uplink => ({ kind: 'result', id, result: { n: id }, size: 10 })
const large = (id: number): Uplink => ({
  kind: 'result',
  id,
  result: { content: [{ type: 'text', text: 'x'.repeat(100_000) }] },
  size: 100_000,
})
const warning = (n: number): Uplink => ({ kind: 'warning', message: `w${n}` })

describe('a port channel', () => {
  it('carries all frames of one turn in one parcel, in order', async () => {
    const { worker, received, parcels } = channels(3)
    const frames = [warning(1), small(2), warning(3)]
    for (const frame of frames) worker.post(frame)
    expect(await received).toEqual(frames)
    expect(parcels()).toBe(1)
  })

  it('carries the frames of two turns in two parcels', async () => {
    const { worker, received, parcels } = channels(2)
    worker.post(warning(1))
    await new Promise((resolve) => setImmediate(resolve))
    worker.post(warning(2))
    await received
    expect(parcels()).toBe(2)
  })

  it('never makes a frame wait for more than 255 others', async () => {
    const { worker, received, parcels } = channels(600)
    for (let n = 0; n < 600; n++) worker.post(warning(n))
    expect((await received).map((frame) => frame.kind === 'warning' && frame.message)).toEqual(
      Array.from({ length: 600 }, (_, n) => `w${n}`),
    )
    expect(parcels()).toBe(3)
  })

  it('carries a large result alone, in its place', async () => {
    const { worker, received, parcels } = channels(4)
    const frames = [small(1), large(2), small(3), warning(4)]
    for (const frame of frames) worker.post(frame)
    expect((await received).map((frame) => (frame.kind === 'result' ? frame.result : frame))).toEqual(
      frames.map((frame) => (frame.kind === 'result' ? frame.result : frame)),
    )
    expect(parcels()).toBe(3)
  })

  it('sends what it has when it is told to, and nothing when it has nothing', async () => {
    const { worker, received, parcels } = channels(2)
    worker.flush()
    worker.post(warning(1))
    worker.flush()
    worker.post(warning(2))
    await received
    expect(parcels()).toBe(2)
  })

  it('goes both ways', async () => {
    const channel = new MessageChannel()
    opened.push(channel)
    const down = deferred<Downlink>()
    const up = deferred<Uplink>()
    const worker = new PortChannel<Uplink, Downlink>(channel.port1, down.resolve)
    const host = new PortChannel<Downlink, Uplink>(channel.port2, up.resolve)
    host.post({ kind: 'cancel', id: 1 })
    worker.post(warning(1))
    expect(await down.promise).toEqual({ kind: 'cancel', id: 1 })
    expect(await up.promise).toEqual(warning(1))
  })
})

describe('a port channel whose other end is behind', () => {
  const frameChars = 1_000
  const flood = Array.from({ length: (8 * windowChars) / frameChars }, (_, n) => ({
    kind: 'warning' as const,
    message: `${n} ${'w'.repeat(frameChars)}`,
  }))
  const inWindow = windowChars / frameChars

  it('asks for a pause once a window is on its way, and to go on when that was taken', async () => {
    const { worker, flow, received, resumed } = channels(flood.length)
    for (const frame of flood.slice(0, inWindow / 2)) worker.post(frame)
    worker.flush()
    expect(flow).toEqual([])
    for (const frame of flood.slice(inWindow / 2)) worker.post(frame)
    worker.flush()
    expect(flow).toEqual(['pause'])
    expect(await received).toEqual(flood)
    await resumed
    expect(flow).toEqual(['pause', 'resume'])
  })

  it('asks for none because of answers, however large', async () => {
    const { worker, flow, received } = channels(20)
    for (let id = 0; id < 20; id++) worker.post(large(id))
    await received
    expect(flow).toEqual([])
  })

  it('leaves every turn of the other thread time for other things', async () => {
    const { worker, received, soFar } = channels(flood.length)
    const turns: number[] = []
    const look = () => {
      turns.push(soFar.length)
      if (soFar.length < flood.length) setImmediate(look)
    }
    setImmediate(look)
    for (const frame of flood) worker.post(frame)
    await received
    const most = Math.max(...turns.map((count, turn) => count - (turns[turn - 1] ?? 0)))
    // What a turn may take, what the turn before left of its own, and the parcel that passes the limit.
    expect(most).toBeLessThanOrEqual(2 * inWindow + 256)
  })

  it('has had everything when the port closes', async () => {
    const { worker, host, soFar } = channels(flood.length + 1)
    const closed = new Promise((resolve) => host.once('close', resolve))
    for (const frame of flood) worker.post(frame)
    worker.post(large(1))
    worker.flush()
    opened[0]?.port1.close()
    await closed
    expect(soFar).toHaveLength(flood.length + 1)
    expect(soFar.at(-1)).toMatchObject({ kind: 'result', id: 1 })
  })
})
