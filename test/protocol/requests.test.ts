import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { isReservedMetaKey, MetaKey } from '../../src/protocol/meta.ts'
import {
  errorText,
  joinMembers,
  notificationText,
  ownMetaText,
  requestText,
  resultText,
  stampText,
} from '../../src/protocol/requests.ts'
import { jsonObject, text } from './arbitraries.ts'

const stamp = { version: '2026-07-28', clientInfo: { name: 'c', version: '1' }, clientCapabilities: {} }
const id = fc.oneof(fc.integer(), text)

describe('a request', () => {
  it('spliced from its parts is the text of the composed object', () => {
    fc.assert(
      fc.property(id, text, jsonObject, jsonObject, (requestId, method, given, meta) => {
        const params = Object.fromEntries(Object.entries(given).filter(([key]) => key !== '_meta'))
        const spliced = requestText(requestId, method, JSON.stringify(params), ownMetaText(meta, undefined))
        const hasMeta = Object.keys(meta).length > 0
        const composed = { ...params, ...(hasMeta && { _meta: meta }) }
        expect(spliced).toBe(JSON.stringify({ jsonrpc: '2.0', id: requestId, method, params: composed }))
      }),
      { numRuns: 1_000 },
    )
  })

  it('carries stamp, own meta and progress token side by side', () => {
    fc.assert(
      fc.property(jsonObject, id, (own, progressToken) => {
        const meta = joinMembers(stampText(stamp), ownMetaText(own, progressToken))
        const { params } = JSON.parse(requestText(1, 'tools/call', '{"name":"a"}', meta)) as {
          params: JsonObject
        }
        expect(params).toEqual({
          name: 'a',
          _meta: { ...JSON.parse(`{${stampText(stamp)}}`), ...own, progressToken },
        })
      }),
    )
  })

  it('without params and meta still has params', () => {
    expect(requestText(1, 'ping', '{}', '')).toBe('{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}')
  })
})

describe('the stamp of a modern request', () => {
  it('says version, client and capabilities', () => {
    expect(JSON.parse(`{${stampText(stamp)}}`)).toEqual({
      [MetaKey.protocolVersion]: '2026-07-28',
      [MetaKey.clientInfo]: stamp.clientInfo,
      [MetaKey.clientCapabilities]: {},
    })
  })

  it('says the log level only when there is one', () => {
    expect(JSON.parse(`{${stampText({ ...stamp, logLevel: 'warning' })}}`)).toMatchObject({
      [MetaKey.logLevel]: 'warning',
    })
    expect(stampText(stamp)).not.toContain('logLevel')
  })
})

describe('the other messages', () => {
  it('are JSON-RPC 2.0', () => {
    expect(JSON.parse(notificationText('n', { a: 1 }))).toEqual({
      jsonrpc: '2.0',
      method: 'n',
      params: { a: 1 },
    })
    expect(JSON.parse(resultText('x', {}))).toEqual({ jsonrpc: '2.0', id: 'x', result: {} })
    expect(JSON.parse(resultText(1, {}, '"b":2')).result).toEqual({ b: 2 })
    expect(JSON.parse(resultText(1, { a: 1 }, '"b":2')).result).toEqual({ a: 1, b: 2 })
    for (const written of ['text', undefined, []])
      expect(() => resultText(1, { toJSON: () => written })).toThrow('no JSON object')
    expect(JSON.parse(errorText(2, -1, 'no'))).toEqual({
      jsonrpc: '2.0',
      id: 2,
      error: { code: -1, message: 'no' },
    })
  })
})

describe('meta', () => {
  it('is nothing when there is none', () => {
    expect(ownMetaText(undefined, undefined)).toBe('')
    expect(ownMetaText({}, undefined)).toBe('')
    expect(ownMetaText({ gone: undefined }, undefined)).toBe('')
  })

  it('carries a token of 0 or empty text', () => {
    expect(ownMetaText(undefined, 0)).toBe('"progressToken":0')
    expect(ownMetaText({ a: 1 }, '')).toBe('"a":1,"progressToken":""')
  })

  it('joins what is there', () => {
    expect(joinMembers('', '')).toBe('')
    expect(joinMembers('"a":1', '')).toBe('"a":1')
    expect(joinMembers('', '"b":2')).toBe('"b":2')
    expect(joinMembers('"a":1', '"b":2')).toBe('"a":1,"b":2')
  })

  it('reserves the protocol’s own keys, and no others', () => {
    for (const key of [...Object.values(MetaKey), 'progressToken']) expect(isReservedMetaKey(key)).toBe(true)
    for (const key of ['traceparent', 'com.example/x', 'modelcontextprotocol', 'protocolVersion'])
      expect(isReservedMetaKey(key)).toBe(false)
  })
})
