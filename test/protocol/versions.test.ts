import { readdirSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { isLoggingLevel, loggingLevels } from '../../src/protocol/logging.ts'
import {
  isLegacyVersion,
  isModernVersion,
  legacyVersions,
  modernVersions,
  offeredLegacyVersion,
} from '../../src/protocol/versions.ts'

describe('the protocol versions', () => {
  it('belong to one era each', () => {
    for (const version of modernVersions)
      expect([isModernVersion(version), isLegacyVersion(version)]).toEqual([true, false])
    for (const version of legacyVersions)
      expect([isModernVersion(version), isLegacyVersion(version)]).toEqual([false, true])
    for (const odd of ['2031-01-01', '', null, 20260728, ['2026-07-28']])
      expect([isModernVersion(odd), isLegacyVersion(odd)]).toEqual([false, false])
  })

  it('stand newest first, and the newest legacy one is offered', () => {
    const all = [...modernVersions, ...legacyVersions]
    expect([...all].sort().reverse()).toEqual(all)
    expect(offeredLegacyVersion).toBe(legacyVersions[0])
  })
})

describe('the log levels', () => {
  it('are the eight of RFC 5424, mildest first', () => {
    expect(loggingLevels).toEqual([
      'debug',
      'info',
      'notice',
      'warning',
      'error',
      'critical',
      'alert',
      'emergency',
    ])
    expect(isLoggingLevel('notice')).toBe(true)
    for (const odd of ['warn', 'INFO', 0, undefined]) expect(isLoggingLevel(odd)).toBe(false)
  })
})

describe('the protocol', () => {
  it('is pure: it imports nothing but itself', async () => {
    const folder = new URL('../../src/protocol/', import.meta.url)
    const { readFile } = await import('node:fs/promises')
    for (const file of readdirSync(folder)) {
      const source = await readFile(new URL(file, folder), 'utf8')
      const foreign = [...source.matchAll(/from '([^']+)'/g)].filter(([, path]) => !path?.startsWith('./'))
      expect(foreign, file).toEqual([])
    }
  })
})
