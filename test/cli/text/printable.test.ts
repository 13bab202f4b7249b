import { expect, it } from 'vitest'
import { oneLine, printable } from '../../../src/cli/text/printable.ts'

it('takes away colours and shows what would command the terminal', () => {
  expect(printable('\u001b[31mred\u001b[0m\u001b]52;c;aGk=\u0007 \u009b2J\r\n\ttab\r')).toBe(
    'red^[]52;c;aGk=^G \\x9b2J\n\ttab^M',
  )
})

it('shows what turns the order of what is read around, and what nobody sees', () => {
  expect(printable('a\u202eb\u200ec\u061cd\u200be\ufefff\u{e0041}')).toBe(
    'a\\u202eb\\u200ec\\u061cd\\u200be\\ufefff\\u{e0041}',
  )
  expect(printable('\u{1f468}\u200d\u{1f469}')).toBe('\u{1f468}\u200d\u{1f469}')
})

it('puts on one line what has to stand on one', () => {
  expect(oneLine(' a\n b\t c ')).toBe('a b c')
})

it('takes what is no text for none', () => {
  expect([undefined, null, 5, {}].map(oneLine)).toEqual(['', '', '', ''])
})
