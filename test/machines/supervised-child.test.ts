import { describe, expect, it } from 'vitest'
import { ChildDriver, death, exit } from './child-driver.ts'

describe('a supervised child', () => {
  it('starts when it is wanted, once', () => {
    const child = new ChildDriver()
    expect(child.state).toEqual({ stopped: 'dormant' })
    child.demand().demand()
    expect(child.starts).toEqual([{ id: 'child', generation: 1, opening: 'probe', atMs: 0 }])
    child.up()
    expect(child.state).toEqual({ up: 'needed' })
  })

  it('that dies is started again after a wait that doubles, and is given up past the limit', () => {
    const child = new ChildDriver().demand()
    for (let restart = 0; restart < 5; restart++) child.fail()
    expect(child.waitsMs).toEqual([0, 250, 500, 1_000, 2_000, 4_000])
    child.up().down()
    expect(child.state).toBe('exhausted')
    expect(child.context).toMatchObject({ generation: 6, restarts: 5, failure: death })
    expect(child.clock.pending).toBe(0)
    child.clock.advance(1_000_000)
    child.demand()
    expect(child.starts).toHaveLength(6)
  })

  it('waits no longer than maxMs, and less by chance', () => {
    const child = new ChildDriver({
      maxRestarts: 100,
      withinMs: 10_000_000,
      backoff: { initialMs: 1_000, factor: 10, maxMs: 30_000, jitter: 0.5 },
    }).demand()
    for (const chance of [0, 1, 0, 0.5, 1]) child.fail({ chance })
    expect(child.waitsMs).toEqual([0, 1_000, 5_000, 30_000, 22_500, 15_000])
  })

  it('is started by hand once it was given up, with all its chances', () => {
    const child = new ChildDriver({ maxRestarts: 1 }).demand().fail().down()
    expect(child.state).toBe('exhausted')
    child.send({ type: 'restart' })
    expect(child.state).toBe('starting')
    expect(child.context).toMatchObject({ generation: 3, restarts: 2 })
    child.fail()
    expect(child.state).toBe('starting')
    child.down()
    expect(child.state).toBe('exhausted')
  })

  it('is given up by what happened within withinMs only', () => {
    const backoff = { initialMs: 0, factor: 1, maxMs: 0, jitter: 0 }
    const child = new ChildDriver({ maxRestarts: 2, withinMs: 10_000, backoff }).demand()
    for (let restart = 0; restart < 20; restart++) {
      child.up()
      child.clock.advance(5_000)
      child.fail()
    }
    expect(child.state).toBe('starting')
    expect(child.context.record.recentMs).toHaveLength(2)
    child.fail()
    expect(child.state).toBe('exhausted')
  })

  it.each([
    [9_999, 'exhausted'],
    [10_000, 'backingOff'],
  ])('counts a restart for exactly withinMs: %i ms later it is %s', (laterMs, state) => {
    const child = new ChildDriver({
      maxRestarts: 1,
      withinMs: 10_000,
      backoff: { initialMs: 0, factor: 1, maxMs: 0, jitter: 0 },
    })
    child.demand().fail().up()
    child.clock.advance(laterMs)
    child.down()
    expect(child.state).toBe(state)
  })

  it('waits briefly again once it had stayed up for withinMs', () => {
    const child = new ChildDriver({ maxRestarts: 100, withinMs: 10_000 }).demand().fail().fail()
    child.up()
    child.clock.advance(9_999)
    child.fail()
    expect(child.waitsMs.at(-1)).toBe(9_999 + 1_000)
    child.up()
    child.clock.advance(10_000)
    child.fail()
    expect(child.waitsMs.at(-1)).toBe(10_000 + 250)
  })

  it('that never comes up waits ever longer, however long its starts take', () => {
    const child = new ChildDriver({ maxRestarts: 2, withinMs: 1_000 }).demand()
    for (let start = 0; start < 4; start++) {
      child.clock.advance(30_000)
      child.fail()
    }
    expect(child.waitsMs).toEqual([0, 30_250, 30_500, 31_000, 32_000])
  })

  it.each([
    ['permanent', undefined, 'backingOff'],
    ['permanent', death, 'backingOff'],
    ['transient', undefined, { stopped: 'ended' }],
    ['transient', death, 'backingOff'],
    ['transient', exit, { stopped: 'ended' }],
    ['permanent', exit, 'backingOff'],
    ['temporary', undefined, { stopped: 'ended' }],
    ['temporary', death, { stopped: 'ended' }],
  ] as const)('that is %s and ends with %o', (restart, failure, state) => {
    const child = new ChildDriver({ restart }).demand().up().down({ failure })
    expect(child.state).toEqual(state)
    expect(child.context.failure).toBe(failure)
  })

  it('that ends well before it serves has failed', () => {
    const child = new ChildDriver({ restart: 'transient' })
      .demand()
      .down({ phase: 'handshake', failure: exit })
    expect(child.state).toBe('backingOff')
  })

  it('that ended for good starts again by hand only', () => {
    const child = new ChildDriver({ restart: 'temporary' }).demand().down().demand()
    expect(child.state).toEqual({ stopped: 'ended' })
    child.send({ type: 'restart' })
    expect(child.context.generation).toBe(2)
  })

  it('hears nothing of its dead incarnations', () => {
    const child = new ChildDriver().demand().fail()
    child.up(1)
    expect(child.state).toBe('starting')
    child.up().down({ generation: 1 })
    expect(child.state).toEqual({ up: 'needed' })
  })

  it('that died of its probe is opened by a handshake, and probed again if that is no better', () => {
    const child = new ChildDriver().demand().fail({ phase: 'probing' })
    expect(child.starts.at(-1)).toMatchObject({ opening: 'handshake' })
    child.up().fail({ phase: 'serving' })
    expect(child.starts.at(-1)).toMatchObject({ opening: 'handshake' })
    child.fail({ phase: 'handshake' })
    expect(child.starts.at(-1)).toMatchObject({ opening: 'probe' })
  })
})

describe('a supervised child that is stopped', () => {
  it.each([
    ['starting', (child: ChildDriver) => child.demand()],
    ['up', (child: ChildDriver) => child.demand().up()],
    ['backingOff', (child: ChildDriver) => child.demand().down()],
    ['exhausted', (child: ChildDriver) => child.demand().down()],
  ])('while %s is stopped once nothing is left of it', async (state, bring) => {
    const child = bring(new ChildDriver({ maxRestarts: state === 'exhausted' ? 0 : 5 }))
    expect(JSON.stringify(child.state)).toContain(state)
    child.send({ type: 'stop' }).send({ type: 'stop' }).send({ type: 'restart' }).down()
    expect(child.state).toEqual({ stopping: 'forGood' })
    expect(child.told).toEqual([])
    expect(child.clock.pending).toBe(0)
    await child.gone()
    expect(child.state).toEqual({ stopped: 'ended' })
    expect(child.told).toEqual(['child'])
    expect(child.stopped).toBe(1)
  })

  it('says so at once when it never ran', () => {
    const child = new ChildDriver().send({ type: 'stop' })
    expect(child.told).toEqual(['child'])
    expect(child.demand().state).toEqual({ stopped: 'ended' })
  })
})

describe('a restart by hand', () => {
  it('waits until nothing is left of the incarnation before', async () => {
    const child = new ChildDriver().demand().up().send({ type: 'restart' })
    expect(child.state).toEqual({ stopping: 'toStart' })
    expect(child.starts).toHaveLength(1)
    await child.gone()
    expect(child.state).toBe('starting')
    expect(child.context).toMatchObject({ generation: 2, restarts: 1, failure: undefined })
  })

  it('cuts a wait short', () => {
    const child = new ChildDriver().demand().down().send({ type: 'restart' })
    expect(child.state).toBe('starting')
    expect(child.clock.pending).toBe(0)
  })

  it('gives way to a stop', async () => {
    const child = new ChildDriver().demand().up().send({ type: 'restart' }).send({ type: 'stop' })
    await child.gone()
    expect(child.state).toEqual({ stopped: 'ended' })
    expect(child.starts).toHaveLength(1)
  })
})

describe('a supervised child that stops for want of calls', () => {
  const idle = () => new ChildDriver({ idleStopMs: 1_000 }).demand().up().send({ type: 'calls.none' })

  it('sleeps until it is wanted', async () => {
    const child = idle()
    child.clock.advance(999)
    expect(child.state).toEqual({ up: 'idle' })
    child.clock.advance(1)
    expect(child.state).toEqual({ stopping: 'toSleep' })
    await child.gone()
    expect(child.state).toEqual({ stopped: 'dormant' })
    expect(child.told).toEqual([])
    child.demand()
    expect(child.context).toMatchObject({ generation: 2, restarts: 0 })
  })

  it('is awake as long as calls are under way', () => {
    const child = idle()
    child.clock.advance(999)
    child.send({ type: 'calls.some' })
    child.clock.advance(1_000_000)
    expect(child.state).toEqual({ up: 'needed' })
    child.send({ type: 'calls.none' })
    child.clock.advance(1_000)
    expect(child.state).toEqual({ stopping: 'toSleep' })
  })

  it('comes back when it is wanted while it falls asleep', async () => {
    const child = idle()
    child.clock.advance(1_000)
    child.demand()
    await child.gone()
    await child.gone()
    expect(child.state).toBe('starting')
  })

  it('does no such thing unless it was told to', () => {
    const child = new ChildDriver().demand().up().send({ type: 'calls.none' })
    child.clock.advance(1_000_000)
    expect(child.state).toEqual({ up: 'needed' })
  })
})
