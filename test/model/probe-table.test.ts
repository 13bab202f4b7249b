import { describe, expect, it } from 'vitest'
import type { ProbeOutcome } from '../../src/protocol/probe.ts'
import { first, second } from './probe-answers.ts'
import { budgets, type Expected, known, ProbeDriver } from './probe-driver.ts'
import type { SpecificationEvent } from './probe-expectation.ts'

/** Section 4 of the design, row by row, through the machine; the judgement alone is tested where it stands. */

const silence: ProbeOutcome = { kind: 'silence' }

interface Story {
  readonly row: string
  readonly events: readonly SpecificationEvent['type'][]
  readonly ends: Expected
}

const unsupported = (...supported: string[]) => ({
  state: 'closing',
  failure: { name: 'UnsupportedVersionError', supported },
})

const stories: readonly Story[] = [
  {
    row: 'a named version of ours: modern',
    events: ['names both, ours last'],
    ends: { state: 'modern', era: 'modern', version: first },
  },
  {
    row: 'refused for another of ours: asked again at that one',
    events: ['refused, names second', 'names second'],
    ends: { state: 'modern', era: 'modern', version: second, asked: [first, second] },
  },
  {
    row: 'refused in circles: unsupported',
    events: ['refused, names second', 'refused, names first'],
    ends: unsupported(first),
  },
  {
    row: 'refused at the very version named: sent again once, unchanged',
    events: ['refused, names first', 'names first'],
    ends: { state: 'modern', era: 'modern', version: first, asked: [first, first] },
  },
  {
    row: 'refused so twice: unsupported',
    events: ['refused, names first', 'refused, names first'],
    ends: unsupported(first),
  },
  {
    row: 'refused for a legacy version: handshake',
    events: ['refused, names legacy', 'agrees on 2025-11-25'],
    ends: { state: 'legacy', era: 'legacy', version: '2025-11-25' },
  },
  {
    row: 'refused for nothing usable: unsupported',
    events: ['refused, names unknown'],
    ends: unsupported('2031-01-01'),
  },
  {
    row: '-32021: modern, nothing known yet',
    events: ['capability missing'],
    ends: { state: 'modern', era: 'modern', version: first },
  },
  {
    row: 'a disjoint list: handshake',
    events: ['names none of ours', 'agrees on 2024-11-05'],
    ends: { state: 'legacy', era: 'legacy', version: '2024-11-05' },
  },
  {
    row: 'a disjoint list and a refused handshake: unsupported, naming what was listed',
    events: ['names none of ours', 'refuses'],
    ends: unsupported('2031-01-01'),
  },
  {
    row: 'an empty list and a refused handshake: unsupported, naming nothing',
    events: ['names no version', 'refuses'],
    ends: unsupported(),
  },
  {
    row: 'another error and a refused handshake: the refusal itself',
    events: ['method not found', 'refuses'],
    ends: { state: 'closing', failure: { name: 'ProtocolError' } },
  },
  {
    row: 'silence: handshake, whatever the probe still says',
    events: ['silence', 'late probe answer', 'agrees on 2025-11-25'],
    ends: { state: 'legacy', era: 'legacy', version: '2025-11-25' },
  },
  {
    row: 'silence, and a handshake refused as only a modern server does: asked again, once',
    events: ['silence', 'refuses, names first', 'names first'],
    ends: { state: 'modern', era: 'modern', version: first },
  },
  {
    row: 'silence twice, and the handshake refused so twice: unsupported',
    events: ['silence', 'refuses, names first', 'silence', 'refuses, names first'],
    ends: unsupported(first),
  },
  {
    row: 'an HTTP status that is no answer: handshake, and its own status if that fails alike',
    events: ['HTTP 404', 'HTTP 405'],
    ends: { state: 'closing', failure: { name: 'HttpError' } },
  },
  {
    row: 'a disjoint list and an HTTP status for the handshake: unsupported, naming what was listed',
    events: ['names none of ours', 'HTTP 405'],
    ends: unsupported('2031-01-01'),
  },
  {
    row: 'an exchange that failed (401, 503 …): raised',
    events: ['exchange fails'],
    ends: { state: 'closing', failure: { name: 'HttpError' } },
  },
  {
    row: 'the process is gone: raised',
    events: ['server dies'],
    ends: { state: 'closing', failure: { name: 'ServerGoneError' } },
  },
  { row: 'the host closed: over, and no failure', events: ['host closes'], ends: { state: 'closing' } },
]

describe('the connection machine, for', () => {
  it.each(stories)('$row', async ({ events, ends }) => {
    const driver = new ProbeDriver()
    for (const type of ['open, auto', 'wire opens', ...events] as const) await driver.act({ type })
    expect(known(driver.snapshot)).toMatchObject(ends)
  })

  it('a server that listed versions, no older wire is tried: it is none of that age', async () => {
    const events = ['open, auto, over HTTP', 'wire opens', 'names none of ours', 'HTTP 405'] as const
    const driver = new ProbeDriver()
    for (const type of events) await driver.act({ type })
    expect(known(driver.snapshot)).toMatchObject(unsupported('2031-01-01'))
    const other = new ProbeDriver()
    for (const type of ['open, auto, over HTTP', 'wire opens', 'HTTP 404', 'HTTP 405'] as const)
      await other.act({ type })
    expect(known(other.snapshot).state).toBe('fallingBack')
  })

  it('any answer keeps the evidence: what was asked, what came back, how long it took, what it means', async () => {
    const driver = new ProbeDriver()
    for (const type of ['open, auto', 'wire opens', 'refused, names first', 'silence', 'refuses'] as const)
      await driver.act({ type })
    expect(driver.snapshot.context.evidence).toMatchObject([
      {
        asked: 'server/discover',
        version: first,
        answer: { kind: 'error' },
        afterMs: 1,
        verdict: 'probeAgain',
      },
      {
        asked: 'server/discover',
        version: first,
        answer: silence,
        afterMs: budgets.probeTimeoutMs,
        verdict: 'legacy',
      },
      {
        asked: 'initialize',
        version: '2025-11-25',
        answer: { kind: 'error' },
        afterMs: 1,
        verdict: 'refused',
      },
    ])
  })
})
