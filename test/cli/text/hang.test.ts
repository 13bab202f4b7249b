import fc from 'fast-check'
import { expect, it } from 'vitest'
import { hang } from '../../../src/cli/text/hang.ts'
import { visibleWidth } from '../../../src/cli/text/wrap.ts'

it('sets what is broken off deeper than any line begins', () => {
  expect(hang('  note: one two three four five six\nreason', 24)).toBe(
    '  note: one two three\n        four five six\nreason',
  )
})

it('breaks words that are too long, and keeps all of them', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('a', ' ', 'b', '漢') }),
      fc.integer({ min: 30, max: 50 }),
      (text, width) => {
        const line = `x ${text}`.trimEnd()
        const shown = hang(line, width)
        for (const one of shown.split('\n')) expect(visibleWidth(one)).toBeLessThanOrEqual(width)
        expect(shown.replaceAll(/\s/g, '')).toBe(line.replaceAll(/\s/g, ''))
      },
    ),
  )
})
