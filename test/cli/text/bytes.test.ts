import { expect, it } from 'vitest'
import { bytes, decodedLength } from '../../../src/cli/text/bytes.ts'

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1200, '1.2 kB'],
  [12_345, '12 kB'],
  [999_600, '1.0 MB'],
])('%i is %s', (count, text) => {
  expect(bytes(count)).toBe(text)
})

it('knows how much base64 stands for', () => {
  expect(decodedLength('AAH+/w==')).toBe(4)
})
