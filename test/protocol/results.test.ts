import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MetaKey } from '../../src/protocol/meta.ts'
import { shapeResult } from '../../src/protocol/result-shapes.ts'
import { mayAskForInput, readResult } from '../../src/protocol/results.ts'
import { jsonObject } from './arbitraries.ts'

describe('a modern result', () => {
  it('is complete without a resultType, and stripped of the protocol’s bookkeeping', () => {
    const result = { resultType: 'complete', ttlMs: 5, cacheScope: 'public', content: [], extra: 1 }
    expect(readResult(result, 'modern')).toEqual({
      kind: 'complete',
      result: { content: [], extra: 1 },
      cache: { ttlMs: 5, cacheScope: 'public' },
    })
    expect(readResult({ content: [] }, 'modern')).toEqual({
      kind: 'complete',
      result: { content: [] },
      cache: undefined,
    })
  })

  it('keeps the server’s own meta, not the protocol’s', () => {
    const mixed = { _meta: { [MetaKey.serverInfo]: {}, 'com.example/a': 1 } }
    expect(readResult(mixed, 'modern')).toMatchObject({ result: { _meta: { 'com.example/a': 1 } } })
    const reserved = { _meta: { [MetaKey.serverInfo]: {} } }
    expect(readResult(reserved, 'modern')).toEqual({ kind: 'complete', result: {}, cache: undefined })
    expect(readResult({ _meta: 'odd' }, 'modern')).toMatchObject({ result: {} })
  })

  it.each([
    [undefined, undefined],
    [0, undefined],
    [-1, undefined],
    ['10', undefined],
    [null, undefined],
    [10, { ttlMs: 10, cacheScope: 'private' }],
  ])('with ttlMs %s may be kept: %o', (ttlMs, cache) => {
    expect(readResult({ ttlMs, cacheScope: 'odd' }, 'modern')).toMatchObject({ kind: 'complete', cache })
  })

  it('of a type nobody knows is invalid', () => {
    expect(readResult({ resultType: 'hologram' }, 'modern')).toEqual({
      kind: 'invalid',
      reason: 'unknown resultType "hologram"',
    })
  })

  it('may ask for input, with questions, state or both', () => {
    const inputRequests = { a: { method: 'roots/list' } }
    expect(readResult({ resultType: 'input_required', inputRequests, requestState: 's' }, 'modern')).toEqual({
      kind: 'input_required',
      inputRequests: { a: { method: 'roots/list', params: {} } },
      requestState: 's',
    })
    expect(readResult({ resultType: 'input_required', requestState: '' }, 'modern')).toMatchObject({
      kind: 'input_required',
      requestState: '',
    })
    expect(readResult({ resultType: 'input_required', inputRequests }, 'modern')).toMatchObject({
      requestState: undefined,
    })
  })

  it.each([
    ['neither', {}, 'input_required with neither inputRequests nor requestState'],
    ['no question', { inputRequests: {} }, 'input_required with neither inputRequests nor requestState'],
    ['a state that is no string', { requestState: 5 }, 'requestState is not a string'],
    ['malformed questions', { inputRequests: [] }, 'malformed inputRequests'],
    ['a malformed question', { inputRequests: { a: {} }, requestState: 's' }, 'malformed inputRequests'],
  ])('that asks with %s is invalid', (_name, asked, reason) => {
    expect(readResult({ resultType: 'input_required', ...asked }, 'modern')).toEqual({
      kind: 'invalid',
      reason,
    })
  })
})

describe('a legacy result', () => {
  it('is what it is, whatever is in it', () => {
    fc.assert(
      fc.property(jsonObject, (result) => {
        expect(readResult(result, 'legacy')).toEqual({ kind: 'complete', result, cache: undefined })
      }),
    )
    const odd = { resultType: 'input_required', ttlMs: 10 }
    expect(readResult(odd, 'legacy')).toEqual({ kind: 'complete', result: odd, cache: undefined })
  })
})

describe('asking for input', () => {
  it('is allowed to calls, reads and prompts alone', () => {
    for (const method of ['tools/call', 'resources/read', 'prompts/get'])
      expect(mayAskForInput(method)).toBe(true)
    for (const method of ['tools/list', 'server/discover', 'completion/complete', 'ping'])
      expect(mayAskForInput(method)).toBe(false)
  })
})

describe('the shape of a complete result', () => {
  it.each([
    ['tools/call', { content: [] }, { result: { content: [] } }],
    ['tools/call', { structuredContent: null }, { result: { structuredContent: null, content: [] } }],
    ['tools/call', {}, { complaint: 'content is not an array' }],
    ['tools/call', { content: {}, structuredContent: 1 }, { complaint: 'content is not an array' }],
    ['resources/read', { contents: [] }, { result: { contents: [] } }],
    ['resources/read', { content: [] }, { complaint: 'contents is not an array' }],
    ['prompts/get', { messages: [] }, { result: { messages: [] } }],
    ['prompts/get', {}, { complaint: 'messages is not an array' }],
    ['completion/complete', { completion: { values: [] } }, { result: { completion: { values: [] } } }],
    ['completion/complete', { completion: {} }, { complaint: 'completion.values is not an array' }],
    ['completion/complete', {}, { complaint: 'completion.values is not an array' }],
    ['ping', {}, { result: {} }],
  ])('of %s %o is %o', (method, result, expected) => {
    expect(shapeResult(method, result)).toEqual(expected)
  })
})
