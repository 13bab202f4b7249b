import { describe, expect, it } from 'vitest'
import { Warnings } from '../src/warnings.ts'

describe('warnings', () => {
  it('of one kind get rarer, each with its count', () => {
    const reported: string[] = []
    const warnings = new Warnings((message) => reported.push(message))
    for (let i = 1; i <= 1_000; i++) warnings.warn('noise', `line ${i}`)
    expect(reported.slice(0, 3)).toEqual([
      'noise: line 1',
      'noise (2 so far): line 2',
      'noise (4 so far): line 4',
    ])
    expect(reported.at(-1)).toBe('noise (512 so far): line 512')
    expect(reported).toHaveLength(10)
    expect(warnings.count('noise')).toBe(1_000)
  })

  it('of another kind start afresh', () => {
    const reported: string[] = []
    const warnings = new Warnings((message) => reported.push(message))
    for (let i = 1; i <= 3; i++) warnings.warn('noise', `line ${i}`)
    warnings.warn('silence', 'at last')
    expect(reported.at(-1)).toBe('silence: at last')
    expect(warnings.count('never')).toBe(0)
  })
})
