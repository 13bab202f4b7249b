import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readHookResult } from '../../src/protocol/hook-results.ts'
import { json } from './arbitraries.ts'

describe('what a hook returned', () => {
  it.each([
    ['elicit', { action: 'decline', content: { secret: 1 } }, { action: 'decline' }],
    ['elicit', { action: 'cancel' }, { action: 'cancel' }],
    ['elicit', { action: 'accept', content: { a: 1 } }, { action: 'accept', content: { a: 1 } }],
    [
      'sample',
      { role: 'assistant', content: [], model: 'm' },
      { role: 'assistant', content: [], model: 'm' },
    ],
    ['listRoots', { roots: [] }, { roots: [] }],
    ['listRoots', { roots: [{ uri: 'file:///a', name: 'A' }] }, { roots: [{ uri: 'file:///a', name: 'A' }] }],
  ] as const)('%s %j may go to the server', (hook, returned, body) => {
    expect(readHookResult(hook, {}, returned)).toEqual({ body })
  })

  it.each([
    ['elicit', { action: 'yes' }, /none of accept, decline and cancel/],
    ['elicit', undefined, /no object/],
    ['sample', 'text', /no object/],
    ['sample', [], /no object/],
    ['sample', () => ({}), /no object/],
    ['listRoots', {}, /no roots/],
    ['listRoots', { roots: [{ uri: 'https://example.com' }] }, /no file:\/\/ URI/],
    ['listRoots', { roots: ['file:///a'] }, /no roots/],
  ] as const)('%s %j is refused', (hook, returned, complaint) => {
    expect(readHookResult(hook, {}, returned)).toEqual({ complaint: expect.stringMatching(complaint) })
  })

  it('is plain JSON of its own by then', () => {
    const returned = { action: 'accept', content: { at: new Date(0), gone: undefined } }
    const reading = readHookResult('elicit', {}, returned)
    expect(reading).toEqual({ body: { action: 'accept', content: { at: '1970-01-01T00:00:00.000Z' } } })
  })

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(fc.constantFrom('elicit', 'sample', 'listRoots'), json, json, (hook, params, returned) => {
        const reading = readHookResult(hook, { requestedSchema: params }, returned)
        expect(Object.keys(reading)[0]).toMatch(/^(body|complaint)$/)
      }),
    )
  })
})
