import { expect, it } from 'vitest'
import { summary } from '../../../src/cli/text/summary.ts'

const description = '\n  Reads a file. Fails when there is none. Returns its text.\nMore.'

it.each([
  ['the first line when that fits', undefined, 'Reads a file. Fails when there is none. Returns its text.'],
  ['as many sentences as fit', 50, 'Reads a file. Fails when there is none.'],
  ['as many words as fit', 10, 'Reads a…'],
])('is %s', (_, most, text) => {
  expect(summary(description, most)).toBe(text)
})

it('counts columns, and cuts no character in two', () => {
  expect(summary('日本語の説明', 8)).toBe('日本語…')
  expect(summary('🎭🎭🎭🎭', 6)).toBe('🎭🎭…')
  expect(summary('e\u0301'.repeat(6), 6)).toBe('e\u0301'.repeat(6))
})
