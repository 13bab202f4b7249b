import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { namedVersions, readDiscovery } from '../../src/protocol/discovery.ts'
import { initializeParams, judgeHandshake } from '../../src/protocol/handshake.ts'
import { MetaKey } from '../../src/protocol/meta.ts'
import { judgeProbe } from '../../src/protocol/probe.ts'
import { isLegacyVersion, legacyVersions, modernVersions } from '../../src/protocol/versions.ts'
import { json, jsonObject } from './arbitraries.ts'

const serverInfo = { name: 's', version: '1' }

describe('a DiscoverResult', () => {
  it('says what the server is', () => {
    const result = {
      resultType: 'complete',
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      instructions: 'be kind',
      _meta: { [MetaKey.serverInfo]: serverInfo },
    }
    expect(readDiscovery(result)).toEqual({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: {} },
      serverInfo,
      instructions: 'be kind',
    })
  })

  it('is one without a resultType, and with serverInfo in its body', () => {
    expect(readDiscovery({ supportedVersions: [], serverInfo })).toMatchObject({
      serverInfo,
      capabilities: {},
    })
  })

  it('counts what is malformed as absent', () => {
    const odd = {
      supportedVersions: [],
      capabilities: [],
      instructions: 5,
      serverInfo: { name: 7 },
      _meta: null,
    }
    expect(readDiscovery(odd)).toEqual({
      supportedVersions: [],
      capabilities: {},
      serverInfo: undefined,
      instructions: undefined,
    })
  })

  it.each([
    [{}],
    [{ supportedVersions: '2026-07-28' }],
    [{ supportedVersions: [1] }],
    [{ supportedVersions: [], resultType: 'task' }],
  ])('is none: %j', (result) => {
    expect(readDiscovery(result)).toBeUndefined()
  })
})

describe('the versions an error names', () => {
  it.each([
    [{ supported: ['a', 'b'] }, ['a', 'b']],
    [{ supported: 'a' }, []],
    [{ supported: [1] }, []],
    [null, []],
    [undefined, []],
    ['a', []],
  ])('in %j are %j', (data, versions) => {
    expect(namedVersions(data)).toEqual(versions)
  })
})

describe('the handshake', () => {
  it('offers the newest legacy version, who we are and what we can be asked, without what is modern', () => {
    const capabilities = { roots: {}, extensions: { 'example.com/modern': {} } }
    expect(initializeParams({ name: 'c', version: '1' }, capabilities)).toEqual({
      protocolVersion: legacyVersions[0],
      capabilities: { roots: {} },
      clientInfo: { name: 'c', version: '1' },
    })
  })

  it.each(legacyVersions)('agrees on %s, if the server answers that', (protocolVersion) => {
    const result = { protocolVersion, capabilities: { tools: {} }, serverInfo, instructions: 'x' }
    expect(judgeHandshake({ kind: 'result', result })).toMatchObject({
      kind: 'agreed',
      version: protocolVersion,
      capabilities: { tools: {} },
      serverInfo,
      instructions: 'x',
    })
  })

  it.each([
    [{ protocolVersion: '2026-07-28' }, ['2026-07-28']],
    [{ protocolVersion: 5 }, []],
    [{}, []],
  ])('is refused by an answer with %j', (result, supported) => {
    expect(judgeHandshake({ kind: 'result', result })).toMatchObject({ kind: 'refused', supported })
  })

  it('is refused by an error, which may name versions', () => {
    const error = { code: -32602, message: 'no', data: { supported: ['x'] } }
    expect(judgeHandshake({ kind: 'error', error })).toEqual({
      kind: 'refused',
      supported: ['x'],
      reason: 'error -32602: no',
    })
  })

  it('is judged whatever the server answers', () => {
    fc.assert(
      fc.property(jsonObject, (result) => {
        const { kind } = judgeHandshake({ kind: 'result', result })
        expect(kind).toBe(isLegacyVersion(result.protocolVersion) ? 'agreed' : 'refused')
      }),
    )
  })
})

describe('the probe', () => {
  it('is judged whatever the server answers, and always for a reason', () => {
    const memory = { preferred: modernVersions, asked: modernVersions }
    const kinds = ['modern', 'probeAgain', 'legacy', 'unsupported']
    fc.assert(
      fc.property(jsonObject, fc.integer(), json, (result, code, data) => {
        const verdicts = [
          judgeProbe({ kind: 'result', result }, memory),
          judgeProbe({ kind: 'error', error: { code, message: '', data } }, memory),
          judgeProbe({ kind: 'error', error: { code: -32022, message: '', data } }, memory),
        ]
        for (const { kind, reason } of verdicts) {
          expect(kinds).toContain(kind)
          expect(reason).not.toBe('')
        }
      }),
    )
  })
})
