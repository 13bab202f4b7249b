import { describe, expect, it } from 'vitest'
import { thrownMessage } from '../src/thrown-message.ts'

describe('what was thrown', () => {
  it.each([
    [new Error('broken'), 'broken'],
    ['text', 'text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [Symbol('odd'), 'Symbol(odd)'],
    [Object.create(null), 'a value of type object'],
    [Object.assign(new Error(), { message: Symbol('odd') }), 'Symbol(odd)'],
  ])('is told, whatever it is', (thrown, message) => {
    expect(thrownMessage(thrown)).toBe(message)
  })
})
