import type { Rule } from '../rule.ts'

/** What a foreign permission becomes. */
export interface Translation {
  /** Rules without their decision; where it is not exact they mean more, never less. None: there is no counterpart. */
  readonly narrowers: readonly Omit<Rule, 'decision'>[]
  readonly isExact: boolean
  /** Why it is not exact. */
  readonly problem: string
}

export function exactly(narrowers: Translation['narrowers']): Translation {
  return { narrowers, isExact: true, problem: '' }
}

export function atLeast(narrowers: Translation['narrowers'], problem: string): Translation {
  return { narrowers, isExact: false, problem }
}

export function nothing(problem: string): Translation {
  return { narrowers: [], isExact: false, problem }
}

export function each(tools: readonly string[], narrower: Omit<Rule, 'tool' | 'decision'> = {}) {
  return tools.map((tool) => ({ tool, ...narrower }))
}
