import { describe, expect, it } from 'vitest'
import { TestClock } from '../../../src/testing/index.ts'
import { ResultCache } from '../../../workers/connection/result-cache.ts'

const hint = (ttlMs: number) => ({ ttlMs, cacheScope: 'private' }) as const
const result = { tools: [] }

describe('the result cache', () => {
  it('keeps a result for exactly as long as the server said', () => {
    const clock = new TestClock(1_000)
    const cache = new ResultCache(clock)
    cache.put('tools/list', '{}', result, hint(100))
    clock.advance(99)
    expect(cache.get('tools/list', '{}')).toBe(result)
    clock.advance(1)
    expect(cache.get('tools/list', '{}')).toBeUndefined()
  })

  it('tells methods and params apart', () => {
    const cache = new ResultCache(new TestClock())
    cache.put('tools/list', '{}', result, hint(100))
    expect(cache.get('prompts/list', '{}')).toBeUndefined()
    expect(cache.get('tools/list', '{"cursor":"2"}')).toBeUndefined()
  })

  it('replaces what was kept, also by nothing', () => {
    const cache = new ResultCache(new TestClock())
    cache.put('tools/list', '{}', result, hint(100))
    const newer = { tools: [1] }
    cache.put('tools/list', '{}', newer, hint(100))
    expect(cache.get('tools/list', '{}')).toBe(newer)
    cache.put('tools/list', '{}', newer, undefined)
    expect(cache.get('tools/list', '{}')).toBeUndefined()
  })

  it('drops a method, all of it or a part, and no other that begins alike', () => {
    const cache = new ResultCache(new TestClock())
    for (const [method, params] of [
      ['resources/read', '{"uri":"a"}'],
      ['resources/read', '{"uri":"b"}'],
      ['resources/read2', '{}'],
    ] as const)
      cache.put(method, params, result, hint(100))
    cache.drop('resources/read', (params) => params.includes('"a"'))
    expect(cache.get('resources/read', '{"uri":"a"}')).toBeUndefined()
    expect(cache.get('resources/read', '{"uri":"b"}')).toBe(result)
    cache.drop('resources/read')
    expect(cache.get('resources/read', '{"uri":"b"}')).toBeUndefined()
    expect(cache.get('resources/read2', '{}')).toBe(result)
    cache.clear()
    expect(cache.get('resources/read2', '{}')).toBeUndefined()
  })

  it('lets the oldest go past its limit; a renewed one is young', () => {
    const cache = new ResultCache(new TestClock(), 2)
    for (const params of ['1', '2', '1', '3']) cache.put('m', params, result, hint(100))
    expect(['1', '2', '3'].map((params) => cache.get('m', params) !== undefined)).toEqual([true, false, true])
  })
})
