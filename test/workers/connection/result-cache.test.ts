import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../src/testing/index.ts'
import { ResultCache } from '../../../workers/connection/result-cache.ts'

const hint = (ttlMs: number, cacheScope: 'public' | 'private' = 'private') => ({ ttlMs, cacheScope })
const result = { tools: [] }

function cacheOf(options = {}) {
  const clock = new TestClock(1_000)
  const cache = new ResultCache(clock, options)
  const keep = (method: string, params: string, ttlMs = 100, kept: object = result) =>
    cache.put(method, params, { ...kept }, hint(ttlMs), cache.epoch)
  return { clock, cache, keep }
}

describe('the result cache', () => {
  it('keeps a result for exactly as long as the server said', () => {
    const { clock, cache, keep } = cacheOf()
    keep('tools/list', '{}', 100)
    clock.advance(99)
    expect(cache.get('tools/list', '{}')).toEqual(result)
    clock.advance(1)
    expect(cache.get('tools/list', '{}')).toBeUndefined()
  })

  it('gives everybody a copy of their own', () => {
    const { cache, keep } = cacheOf()
    keep('tools/list', '{}')
    const first = cache.get('tools/list', '{}') as { tools: unknown[] }
    first.tools.push('spoilt')
    expect(cache.get('tools/list', '{}')).toEqual(result)
  })

  it('tells methods and params apart', () => {
    const { cache, keep } = cacheOf()
    keep('tools/list', '{}')
    expect(cache.get('prompts/list', '{}')).toBeUndefined()
    expect(cache.get('tools/list', '{"cursor":"2"}')).toBeUndefined()
  })

  it('replaces what was kept, also by nothing', () => {
    const { cache, keep } = cacheOf()
    keep('tools/list', '{}')
    keep('tools/list', '{}', 100, { tools: [1] })
    expect(cache.get('tools/list', '{}')).toEqual({ tools: [1] })
    cache.put('tools/list', '{}', result, undefined, cache.epoch)
    expect(cache.get('tools/list', '{}')).toBeUndefined()
  })

  it('keeps nothing that an invalidation may have overtaken', () => {
    const { cache } = cacheOf()
    const asked = cache.epoch
    cache.drop('tools/list')
    cache.put('tools/list', '{}', result, hint(100), asked)
    expect(cache.get('tools/list', '{}')).toBeUndefined()
  })

  it('keeps private results only where that is safe', () => {
    const { cache } = cacheOf({ keepsPrivate: false })
    cache.put('a', '{}', result, hint(100, 'private'), cache.epoch)
    cache.put('b', '{}', result, hint(100, 'public'), cache.epoch)
    expect([cache.get('a', '{}'), cache.get('b', '{}')]).toEqual([undefined, result])
  })

  it('drops a method, all of it or a part, and no other that begins alike', () => {
    const { cache, keep } = cacheOf()
    keep('resources/read', '{"uri":"a"}')
    keep('resources/read', '{"uri":"b"}')
    keep('resources/read2', '{}')
    cache.drop('resources/read', (params) => params.includes('"a"'))
    expect(cache.get('resources/read', '{"uri":"a"}')).toBeUndefined()
    expect(cache.get('resources/read', '{"uri":"b"}')).toEqual(result)
    cache.drop('resources/read')
    expect(cache.get('resources/read', '{"uri":"b"}')).toBeUndefined()
    expect(cache.get('resources/read2', '{}')).toEqual(result)
    cache.clear()
    expect(cache.get('resources/read2', '{}')).toBeUndefined()
  })

  it('lets the oldest go past its limit; a renewed one is young, and what was dropped counts no more', () => {
    const { cache, keep } = cacheOf({ maxChars: 2 * JSON.stringify(result).length })
    for (const params of ['1', '2', '1', '3']) keep('m', params)
    expect(['1', '2', '3'].map((params) => cache.get('m', params) !== undefined)).toEqual([true, false, true])
    cache.drop('m')
    for (const params of ['4', '5']) keep('m', params)
    expect(['4', '5'].map((params) => cache.get('m', params) !== undefined)).toEqual([true, true])
  })

  it('keeps nothing that is larger than all it may keep', () => {
    const { cache, keep } = cacheOf({ maxChars: 5 })
    keep('m', '1')
    expect(cache.get('m', '1')).toBeUndefined()
  })
})
