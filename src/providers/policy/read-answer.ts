import type { ElicitResult } from '../../protocol/elicitation.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { readRule } from './read-rules.ts'
import type { Rule } from './rule.ts'
import type { Suggestion } from './suggestion.ts'

/** What a person said about a call, and what of it is to be remembered. */
export interface Verdict {
  readonly decision: 'allow' | 'deny'
  readonly remember: readonly Rule[]
}

/** Reads the answer to a permission question. @throws ConfigError for anything that is none */
export function readVerdict(answer: unknown, suggestion: Suggestion, checks: readonly string[]): Verdict {
  if (!isObject(answer)) throw new Error('the answer was no object')
  const { action, rule, rules } = answer
  switch (action) {
    case 'allow-once':
      return { decision: 'allow', remember: [] }
    case 'deny-once':
      return { decision: 'deny', remember: [] }
    case 'always-allow':
    case 'always-deny': {
      const decision = action === 'always-allow' ? 'allow' : 'deny'
      const remember = remembered(rule, rules, suggestion).map((given, index) =>
        readRule(isObject(given) ? { ...given, decision } : given, {
          path: rules === undefined ? ['rule'] : ['rules', String(index)],
          checks,
        }),
      )
      return { decision, remember }
    }
    default:
      throw new Error(`the answer's action was ${JSON.stringify(action)?.slice(0, 50)}`)
  }
}

function remembered(rule: unknown, rules: unknown, suggestion: Suggestion): readonly unknown[] {
  if (rules === undefined) return [rule ?? suggestion]
  if (rule !== undefined) throw new Error('the answer had both rule and rules')
  if (!Array.isArray(rules) || rules.length === 0) throw new Error('the answer had no rules to remember')
  return rules
}

/** Reads the answer to a server's question; undefined when it is none. */
export function readElicitResult(answer: unknown): ElicitResult | undefined {
  if (!isObject(answer)) return undefined
  const { action } = answer
  if (action !== 'accept' && action !== 'decline' && action !== 'cancel') return undefined
  return answer as unknown as ElicitResult
}
