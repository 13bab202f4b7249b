import { describe, expect, it } from 'vitest'
import { declineInput, hookFor, readInputRequests } from '../../src/protocol/input-requests.ts'

describe('the questions of an input_required', () => {
  it('are read under the server’s own keys, whatever they are called', () => {
    const asked = JSON.parse('{"__proto__":{"method":"a"},"toString":{"method":"b","params":{"x":1}}}')
    expect(Object.entries(readInputRequests(asked) ?? {})).toEqual([
      ['__proto__', { method: 'a', params: {} }],
      ['toString', { method: 'b', params: { x: 1 } }],
    ])
  })

  it.each([[[]], ['x'], [null], [{ a: null }], [{ a: { params: {} } }], [{ a: { method: 1 } }]])(
    'are malformed: %j',
    (value) => {
      expect(readInputRequests(value)).toBeUndefined()
    },
  )
})

describe('the hook that answers', () => {
  it.each([
    ['elicitation/create', 'elicit'],
    ['sampling/createMessage', 'sample'],
    ['roots/list', 'listRoots'],
    ['tools/call', undefined],
    ['toString', undefined],
    ['__proto__', undefined],
  ])('%s is %s', (method, hook) => {
    expect(hookFor(method)).toBe(hook)
  })
})

describe('a refusal', () => {
  it('has the shape its question has for it, or none', () => {
    expect(declineInput('elicitation/create')).toEqual({ action: 'decline' })
    expect(declineInput('roots/list')).toEqual({ roots: [] })
    expect(declineInput('sampling/createMessage')).toBeUndefined()
    expect(declineInput('nobody/knows')).toBeUndefined()
  })
})
