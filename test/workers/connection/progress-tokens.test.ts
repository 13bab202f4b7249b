import { describe, expect, it } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { ProgressTokens } from '../../../workers/connection/progress-tokens.ts'

describe('progress tokens', () => {
  it('are the caller’s own, or minted, and lead to their call', () => {
    const tokens = new ProgressTokens()
    const minted = [tokens.take(1, true), tokens.take(2, true)]
    expect(new Set(minted).size).toBe(2)
    expect(tokens.take(3, 'mine')).toBe('mine')
    expect(tokens.take(4, 0)).toBe(0)
    expect([...minted, 'mine', 0].map((token) => tokens.callOf(token))).toEqual([1, 2, 3, 4])
  })

  it('that are minted are none that a caller uses', () => {
    const tokens = new ProgressTokens()
    const taken = new ProgressTokens().take(2, true)
    tokens.take(1, taken)
    const minted = tokens.take(2, true)
    expect([tokens.callOf(taken), tokens.callOf(minted)]).toEqual([1, 2])
  })

  it('are no other type’s', () => {
    const tokens = new ProgressTokens()
    tokens.take(1, 7)
    expect(tokens.callOf('7')).toBeUndefined()
  })

  it('are refused while they are in use, and free when their call has ended', () => {
    const tokens = new ProgressTokens()
    tokens.take(1, 'mine')
    expect(() => tokens.take(2, 'mine')).toThrow(ConfigError)
    tokens.release('mine')
    expect(tokens.callOf('mine')).toBeUndefined()
    expect(tokens.take(3, 'mine')).toBe('mine')
  })
})
