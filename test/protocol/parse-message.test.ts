import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { maxContainers, maxDepth, parseMessage } from '../../src/protocol/parse-message.ts'

const isRefused = (text: string) => parseMessage(text).kind === 'refused'
const nested = (levels: number, open: string, inner: string, close: string) =>
  open.repeat(levels) + inner + close.repeat(levels)

describe('the text of a message', () => {
  it('is what JSON says, whatever stands in its strings', () => {
    const tricky = fc.string({ unit: fc.constantFrom('"', '\\', '[', ']', '{', '}', 'a', 'é', ' ') })
    const padding = 'x'.repeat(3_000)
    fc.assert(
      fc.property(fc.dictionary(tricky, fc.oneof(tricky, fc.array(tricky), fc.jsonValue())), (value) => {
        const message = { padding, ...value }
        const text = JSON.stringify(message)
        expect(parseMessage(text)).toEqual({ kind: 'message', message: JSON.parse(text) })
      }),
    )
  })

  it.each([
    '',
    '  ',
    '42',
    '"{}"',
    'null',
    '{"a":',
    `{"a":"${'x'.repeat(5_000)}`,
    `[${'[1],'.repeat(2_000)}`,
  ])('is noise where it is no object or array: %.20s', (text) => {
    expect(parseMessage(text)).toEqual({ kind: 'noise' })
  })

  it.each([
    ['arrays', '[', '', ']'],
    ['objects', '{"a":', '1', '}'],
    ['objects between other members', '{"s":"]}","a":', '[]', ',"b":[{},"\\\\"]}'],
    ['arrays between other elements', '[[],{"\\"[":[]},', '0', ',[]]'],
  ])('is refused when it nests too deeply: %s', (_, open, inner, close) => {
    expect(isRefused(nested(maxDepth - 2, open, inner, close))).toBe(false)
    expect(isRefused(nested(maxDepth + 1, open, inner, close))).toBe(true)
    expect(isRefused(nested(50_000, open, inner, close))).toBe(true)
  })

  it('is refused when it would become gigabytes', () => {
    expect(isRefused(`[${'{},'.repeat(maxContainers)}{}]`)).toBe(true)
    expect(isRefused(`{"text":"${'{},'.repeat(maxContainers)}"}`)).toBe(false)
  })
})
