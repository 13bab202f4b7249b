import type { Rule } from './rule.ts'

/** The same text for the same rule, in whatever order its members were written. */
export function ruleKey(rule: Rule): string {
  return JSON.stringify(Object.entries(rule).sort())
}
