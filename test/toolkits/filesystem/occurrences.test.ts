import fc from 'fast-check'
import { expect, it } from 'vitest'
import { occurrences } from '../../../src/toolkits/filesystem/occurrences.ts'
import { replacePassage } from '../../../src/toolkits/filesystem/replace-passage.ts'

const few = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 30 })

it('a passage is found wherever it stands', () => {
  fc.assert(
    fc.property(few, few, (text, passage) => {
      fc.pre(passage !== '')
      const expected: number[] = []
      for (let at = text.indexOf(passage); at !== -1; at = text.indexOf(passage, at + 1)) expected.push(at)
      expect([...occurrences(text, passage)]).toEqual(expected)
    }),
  )
})

it('all of a passage are replaced as a text editor does it', () => {
  fc.assert(
    fc.property(few, few, few, (text, oldText, newText) => {
      fc.pre(oldText !== '' && oldText !== newText && text.includes(oldText))
      const edited = replacePassage(text, { oldText, newText, all: true }, 1_000)
      expect(edited.text).toBe(text.split(oldText).join(newText))
      const lines = text.split(oldText).slice(0, -1)
      expect(edited.lines).toEqual(
        lines.map(
          (_, index) =>
            text
              .split(oldText)
              .slice(0, index + 1)
              .join(oldText)
              .split('\n').length,
        ),
      )
    }),
  )
})

it('a passage that is made to keep a search busy is found, and missed, all the same', () => {
  const half = 'a'.repeat(10_000)
  const passage = `${half}b${half}`
  const text = 'a'.repeat(1_000_000)
  expect([...occurrences(text, passage)]).toEqual([])
  expect([...occurrences(text + passage, passage)]).toEqual([text.length])
})

it('what would become too large is refused before it is made', () => {
  const greedy = { oldText: 'a', newText: 'b'.repeat(2 ** 20), all: true }
  expect(() => replacePassage('a'.repeat(2 ** 20), greedy, 2 ** 24)).toThrow('only files of up to 16 MB')
  const many = { oldText: 'a', newText: '', all: true }
  expect(() => replacePassage('a'.repeat(2 ** 20), many, 2 ** 24)).toThrow('more than 100000 times')
})
