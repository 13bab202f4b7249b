import { describe, expect, it } from 'vitest'
import { isEraSignal, judgeProbe, type ProbeOutcome, type ProbeVerdict } from '../../src/protocol/probe.ts'
import { first, ours, probeAnswers, second } from '../model/probe-answers.ts'

interface Judgement {
  readonly row: string
  readonly outcome: ProbeOutcome
  readonly asked?: readonly string[]
  readonly verdict: Partial<ProbeVerdict>
}

const silence: ProbeOutcome = { kind: 'silence' }

const judgements: readonly Judgement[] = [
  {
    row: 'a DiscoverResult that names a version of ours is modern',
    outcome: probeAnswers['names second'],
    verdict: { kind: 'modern', version: second },
  },
  {
    row: 'one that names several is modern at the first of our list, not of theirs',
    outcome: probeAnswers['names both, ours last'],
    verdict: { kind: 'modern', version: first },
  },
  {
    row: '-32022 with another modern version of ours asks again at that one',
    outcome: probeAnswers['refused, names second'],
    verdict: { kind: 'probeAgain', version: second },
  },
  {
    row: '-32022 with a version asked before is not asked a second time round',
    outcome: probeAnswers['refused, names first'],
    asked: [first, second],
    verdict: { kind: 'unsupported', supported: [first] },
  },
  {
    row: '-32022 that names the very version just sent is sent again',
    outcome: probeAnswers['refused, names first'],
    verdict: { kind: 'probeAgain', version: first },
  },
  {
    row: 'and is believed the second time',
    outcome: probeAnswers['refused, names first'],
    asked: [first, first],
    verdict: { kind: 'unsupported', supported: [first] },
  },
  {
    row: '-32022 that names a legacy version and none of ours is legacy',
    outcome: probeAnswers['refused, names legacy'],
    verdict: { kind: 'legacy', listed: undefined },
  },
  {
    row: '-32022 that names a version nobody knows is unsupported',
    outcome: probeAnswers['refused, names unknown'],
    verdict: { kind: 'unsupported', supported: ['2031-01-01'] },
  },
  {
    row: '-32022 with malformed data is unsupported',
    outcome: probeAnswers['refused, malformed data'],
    verdict: { kind: 'unsupported', supported: [] },
  },
  {
    row: '-32020 is modern at the version asked, with nothing known yet',
    outcome: probeAnswers['header mismatch'],
    asked: [first, second],
    verdict: { kind: 'modern', version: second, discovery: undefined },
  },
  {
    row: '-32021 is modern at the version asked, with nothing known yet',
    outcome: probeAnswers['capability missing'],
    verdict: { kind: 'modern', version: first, discovery: undefined },
  },
  {
    row: 'a disjoint list is legacy, and remembered',
    outcome: probeAnswers['names none of ours'],
    verdict: { kind: 'legacy', listed: ['2031-01-01'] },
  },
  {
    row: 'an empty list is legacy, and remembered',
    outcome: probeAnswers['names no version'],
    verdict: { kind: 'legacy', listed: [] },
  },
  ...legacy(
    'malformed result',
    'input_required',
    'method not found',
    'invalid params',
    'parse error without id',
    'HTTP 404',
  ),
  { row: 'silence is legacy', outcome: silence, verdict: { kind: 'legacy', listed: undefined } },
]

function legacy(...names: readonly (keyof typeof probeAnswers)[]): readonly Judgement[] {
  return names.map((name) => ({
    row: `${name} is legacy`,
    outcome: probeAnswers[name],
    verdict: { kind: 'legacy', listed: undefined },
  }))
}

describe('the judgement of one probe answer', () => {
  it.each(judgements)('$row', ({ outcome, asked = [first], verdict }) => {
    expect(judgeProbe(outcome, { preferred: ours, asked })).toMatchObject(verdict)
  })
})

describe('an HTTP status', () => {
  it.each([200, 202, 400, 404, 405, 406, 415])('%d tells of an era', (status) => {
    expect(isEraSignal(status)).toBe(true)
  })

  it.each([0, 301, 401, 403, 407, 408, 429, 500, 503])('%d does not', (status) => {
    expect(isEraSignal(status)).toBe(false)
  })
})
