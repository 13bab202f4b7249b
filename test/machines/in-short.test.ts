import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { inShort } from '../../machines/in-short.ts'
import { json, jsonObject } from '../protocol/arbitraries.ts'

describe('an answer as evidence keeps it', () => {
  it('says what a verdict hangs on, and nothing else', () => {
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, logging: {} },
      instructions: 'very long',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 's', version: '1', icons: [] } },
    }
    expect(inShort({ kind: 'result', result })).toEqual({
      kind: 'result',
      result: {
        resultType: 'complete',
        supportedVersions: ['2026-07-28'],
        capabilities: ['tools', 'logging'],
        serverInfo: { name: 's', version: '1' },
      },
    })
    const error = { code: -32022, message: 'no', data: { supported: ['a'], requested: 'b', secret: 1 } }
    expect(inShort({ kind: 'error', error })).toEqual({
      kind: 'error',
      error: { code: -32022, message: 'no', data: { supported: ['a'] } },
    })
    expect(inShort({ kind: 'silence' })).toEqual({ kind: 'silence' })
  })

  it('is made whatever a server sends, and never long', () => {
    const members = fc.record({
      resultType: json,
      supportedVersions: json,
      protocolVersion: fc.oneof(jsonObject, json),
      capabilities: fc.oneof(jsonObject, json),
      serverInfo: fc.record({ name: fc.oneof(jsonObject, json), version: json }),
    })
    fc.assert(
      fc.property(members, json, (result, data) => {
        const error = { code: 1, message: 'x'.repeat(100_000), data }
        const short = [inShort({ kind: 'result', result }), inShort({ kind: 'error', error })]
        expect(JSON.stringify(short).length).toBeLessThan(100_000)
        expect(structuredClone(short)).toEqual(short)
      }),
    )
    const hostile = {
      protocolVersion: { toString: 1 },
      serverInfo: { name: { toString: 1 }, version: [{ toString: 1 }] },
    }
    expect(inShort({ kind: 'result', result: hostile }).kind).toBe('result')
  })
})
