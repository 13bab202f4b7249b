import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { classify, isRequestId } from '../../src/protocol/json-rpc.ts'
import { jsonObject, nearlyMessage } from './arbitraries.ts'

const message = (members: object) => classify({ jsonrpc: '2.0', ...members })

describe('an inbound message', () => {
  it.each([
    ['a result', { id: 1, result: {} }, { kind: 'result', id: 1, result: {} }],
    ['a result of a string id', { id: 'a', result: { x: 1 } }, { kind: 'result', id: 'a', result: { x: 1 } }],
    [
      'an error',
      { id: 1, error: { code: -32601, message: 'no', data: null } },
      { kind: 'error', id: 1, error: { code: -32601, message: 'no', data: null } },
    ],
    ['an error without id', { error: { code: -32700, message: 'no' } }, { kind: 'error', id: null }],
    [
      'an error with id null',
      { id: null, error: { code: -32700, message: 'no' } },
      { kind: 'error', id: null },
    ],
    [
      'an error without message',
      { id: 1, error: { code: 7 } },
      { kind: 'error', error: { code: 7, message: 'error 7' } },
    ],
    ['a notification', { method: 'n' }, { kind: 'notification', method: 'n', params: {} }],
    ['a notification with params null', { method: 'n', params: null }, { kind: 'notification', params: {} }],
    ['a request', { id: 0, method: 'ping', params: { a: 1 } }, { kind: 'request', id: 0, params: { a: 1 } }],
  ])('is %s', (_name, members, expected) => {
    expect(message(members)).toMatchObject(expected)
  })

  it.each([
    ['another protocol', { jsonrpc: '1.0', id: 1, result: {} }, 1],
    ['neither method, result nor error', { id: 1 }, 1],
    ['both result and error', { id: 1, result: {}, error: { code: 1, message: '' } }, 1],
    ['a result that is no object', { id: 1, result: [] }, 1],
    ['a result without id', { result: {} }, null],
    ['a result with a fractional id', { id: 1.5, result: {} }, null],
    ['a result with id null', { id: null, result: {} }, null],
    ['an error that is no object', { id: 1, error: 'no' }, 1],
    ['an error without an integer code', { id: 1, error: { code: 1.5, message: '' } }, 1],
  ])('is an invalid answer with %s', (_name, members, id) => {
    expect(message(members)).toMatchObject({ kind: 'invalid', id, isAnswer: true })
  })

  it.each([
    ['a method that is no string', { id: 1, method: 5 }, 1],
    ['params that are no object', { id: 1, method: 'ping', params: [] }, 1],
    ['a notification with params that are no object', { method: 'n', params: 'x' }, null],
    ['a request with id null', { id: null, method: 'ping' }, null],
  ])('is an invalid call, never taken for an answer, with %s', (_name, members, id) => {
    expect(message(members)).toMatchObject({ kind: 'invalid', id, isAnswer: false })
  })

  it('is classified whatever JSON it is, and keeps its id only if it is one', () => {
    const kinds = new Set<string>()
    fc.assert(
      fc.property(fc.oneof(nearlyMessage, jsonObject), (any) => {
        const inbound = classify(any)
        kinds.add(inbound.kind)
        if ('id' in inbound && inbound.id !== null) expect(isRequestId(inbound.id)).toBe(true)
      }),
      { numRuns: 2_000, seed: 1 },
    )
    expect([...kinds].sort()).toEqual(['error', 'invalid', 'notification', 'request', 'result'])
  })
})
