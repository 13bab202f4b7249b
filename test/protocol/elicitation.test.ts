import { describe, expect, it } from 'vitest'
import { applyDefaults } from '../../src/protocol/elicitation.ts'

const requestedSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', default: 'Ada' },
    age: { type: 'integer', default: 0 },
    isHuman: { type: 'boolean', default: false },
    tags: { type: 'array', default: [] },
    note: { type: 'string' },
    odd: true,
  },
}

describe('an accepted form', () => {
  it('gets its schema’s defaults for what was left out, falsy ones too', () => {
    expect(applyDefaults({ requestedSchema }, { action: 'accept', content: { name: 'Bob' } })).toEqual({
      action: 'accept',
      content: { name: 'Bob', age: 0, isHuman: false, tags: [] },
    })
  })

  it('keeps what was filled in, falsy values and unknown fields too', () => {
    const content = { name: '', age: 5, extra: 1 }
    expect(applyDefaults({ requestedSchema }, { action: 'accept', content })).toMatchObject({ content })
  })

  it('without content is filled from the defaults', () => {
    expect(applyDefaults({ requestedSchema }, { action: 'accept' })).toMatchObject({
      content: { name: 'Ada' },
    })
    expect(applyDefaults({ requestedSchema }, { action: 'accept', content: null })).toMatchObject({
      content: { name: 'Ada' },
    })
  })
})

describe('any other answer', () => {
  it.each([
    ['a decline', { requestedSchema }, { action: 'decline' }],
    ['a cancel', { requestedSchema }, { action: 'cancel' }],
    ['consent to a URL', { mode: 'url', requestedSchema }, { action: 'accept' }],
    ['one to a question without schema', {}, { action: 'accept', content: { a: 1 } }],
    ['one to a malformed schema', { requestedSchema: { properties: [] } }, { action: 'accept' }],
  ])('is left alone: %s', (_name, params, answer) => {
    expect(applyDefaults(params, answer)).toBe(answer)
  })
})
