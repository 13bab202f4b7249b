import { describe, expect, it } from 'vitest'
import type { ActorPicture, InspectorFrame, LogEntry, Phase } from '../../../src/inspector/frames.ts'
import { actorsOf, emptyModel, type Model, serversOf, withFrame } from '../../../visualizations/page/model.ts'
import { stateText } from '../../../visualizations/page/words.ts'

const actor = (server: string, machine: string, more: Partial<ActorPicture> = {}): ActorPicture => ({
  key: `${server}/${machine}`,
  server,
  name: machine,
  machine,
  generation: 1,
  states: [machine],
  status: 'active',
  facts: {},
  sinceMs: 0,
  ...more,
})

const phase = (server: string, name: Phase, generation = 1): InspectorFrame => ({
  kind: 'phase',
  phase: { server, phase: name, generation, atMs: generation },
})

const entry = (number: number): LogEntry => ({
  number,
  atMs: number,
  server: 'a',
  actor: 'a/connection',
  kind: 'state',
  states: ['connection'],
})

const modelAfter = (...frames: readonly InspectorFrame[]): Model => frames.reduce(withFrame, emptyModel)

describe('the model of the page', () => {
  it('lists servers as people count, those without a phase last, each with its phase and how often it was started again', () => {
    const model = modelAfter(
      ...['s10', 's2', 's1'].map(
        (server): InspectorFrame => ({ kind: 'actor', actor: actor(server, 'connection') }),
      ),
      phase('s2', 'starting'),
      phase('s2', 'up'),
      phase('s2', 'backingOff'),
      phase('s2', 'starting', 2),
    )
    expect(serversOf(model)).toEqual([
      { name: 's2', phase: 'starting', restarts: 1 },
      { name: 's1', phase: undefined, restarts: 0 },
      { name: 's10', phase: undefined, restarts: 0 },
    ])
  })

  it('shows the supervisor of a server before its connection, and what is over last', () => {
    const frames = [
      actor('a', 'roundTrip', { key: 'a/connection/call-1', status: 'done' }),
      actor('a', 'roundTrip', { key: 'a/connection/call-12' }),
      actor('a', 'roundTrip', { key: 'a/connection/call-2' }),
      actor('a', 'connection'),
      actor('a', 'supervisedChild'),
      actor('b', 'connection'),
    ].map((shown): InspectorFrame => ({ kind: 'actor', actor: shown }))
    expect(actorsOf(modelAfter(...frames), 'a').map(({ key }) => key)).toEqual([
      'a/supervisedChild',
      'a/connection',
      'a/connection/call-2',
      'a/connection/call-12',
      'a/connection/call-1',
    ])
  })

  it('replaces an actor by its next state, and forgets one that is gone', () => {
    const frames: InspectorFrame[] = [
      { kind: 'actor', actor: actor('a', 'connection') },
      { kind: 'actor', actor: actor('a', 'connection', { states: ['connection', 'connection.closed'] }) },
    ]
    expect(actorsOf(modelAfter(...frames), 'a')).toMatchObject([
      { states: ['connection', 'connection.closed'] },
    ])
    expect(modelAfter(...frames, { kind: 'gone', key: 'a/connection' }).actors.size).toBe(0)
  })

  it('begins anew with a picture, but does not forget what it missed', () => {
    const picture: InspectorFrame = {
      kind: 'picture',
      nowMs: 0,
      machines: ['connection'],
      actors: [actor('b', 'connection')],
      phases: [],
      log: [entry(7)],
    }
    const model = modelAfter(
      { kind: 'actor', actor: actor('a', 'connection') },
      { kind: 'dropped', frames: 3 },
      { kind: 'dropped', frames: 4 },
      picture,
    )
    expect(serversOf(model).map(({ name }) => name)).toEqual(['b'])
    expect(model).toMatchObject({ missed: 7, log: [{ number: 7 }] })
  })

  it('holds the last 2000 entries and the last 200 phases of a server', () => {
    const entries = Array.from(
      { length: 2_100 },
      (_, index): InspectorFrame => ({ kind: 'entry', entry: entry(index) }),
    )
    const phases = Array.from({ length: 210 }, (_, index) => phase('a', 'starting', index))
    const model = modelAfter(...entries, ...phases)
    expect(model.log).toHaveLength(2_000)
    expect(model.log[0]?.number).toBe(100)
    expect(model.phases.get('a')).toHaveLength(200)
  })
})

describe('stateText', () => {
  it.each([
    [['connection'], 'connection'],
    [['connection', 'connection.idle'], 'idle'],
    [['connection', 'connection.modern', 'connection.modern.ready'], 'modern › ready'],
    [['leases', 'leases.open', 'leases.asking'], 'open, asking'],
  ])('of %j is %s', (states, text) => {
    expect(stateText(states)).toBe(text)
  })
})
