import { expect, it } from 'vitest'
import { fill, visibleWidth, wrap } from '../../../src/cli/text/wrap.ts'

it('breaks text at spaces and keeps its own lines and their indentation', () => {
  expect(wrap('one two three four five six\n\n  seven eight nine ten eleven', 20, '> ')).toBe(
    ['> one two three four', '> five six', '>', '>   seven eight nine', '>   ten eleven'].join('\n'),
  )
})

it('breaks nothing where lines have no end', () => {
  expect(wrap('word '.repeat(100).trim(), undefined, '  ')).toBe(`  ${'word '.repeat(100).trim()}`)
})

it('leaves a word that is too long whole', () => {
  expect(wrap(`a ${'x'.repeat(30)} b`, 20)).toBe(`a\n${'x'.repeat(30)}\nb`)
})

it('keeps pieces together that fit on a line', () => {
  expect(fill(['f(a: string,', 'b: { c: string },', 'd: number)'], 24, '', '  ')).toBe(
    'f(a: string,\n  b: { c: string },\n  d: number)',
  )
})

it('counts what is seen: no colours, wide characters twice', () => {
  expect(visibleWidth('\u001b[1mbold\u001b[22m')).toBe(4)
  expect(visibleWidth('日本')).toBe(4)
  expect(visibleWidth('e\u0301')).toBe(1)
})
