import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { EffectiveCommand } from './commands/effective-command.ts'
import { ScriptCache } from './commands/script-cache.ts'
import type { Evaluating } from './evaluation-options.ts'
import { GrantBooks } from './grant-books.ts'
import type { Decision, Rule } from './rule.ts'
import { type Evaluation, type RuleAnswer, RuleSet } from './rule-set.ts'

/** What becomes of a call, and why. */
export interface Explanation extends Omit<Evaluation, 'decision'> {
  /** In the end: `ask` where neither rules nor grants decide. */
  readonly decision: Decision
  /** What a person decided for good; only looked up where the rules say ask. */
  readonly granted?: 'allow' | 'deny'
  /** The rules that have a say: of an allow only one that means the call for certain. */
  readonly fired: readonly RuleAnswer[]
  /** The other rules about the tool. */
  readonly silent: readonly RuleAnswer[]
  /** What the call really runs, whatever it is wrapped in. */
  readonly commands: readonly EffectiveCommand[]
}

/** Explains what a policy with these rules and grants does with a call. @throws ConfigError for a rule that cannot be used */
export function explain(
  { rules, grants = [], ...options }: Evaluating & RulesAndGrants,
  tool: string,
  args: JsonObject | undefined,
): Explanation {
  const scripts = new ScriptCache()
  const set = new RuleSet(rules, options, scripts)
  const { decision, ...evaluation } = set.evaluate(tool, args)
  const books = new GrantBooks({ grants }, options, scripts)
  const granted = decision === 'ask' ? books.decide(tool, args, evaluation) : undefined
  const answers = set.answers(tool, args)
  return {
    decision: granted ?? decision,
    ...evaluation,
    ...(granted && { granted }),
    fired: answers.filter(hasFired),
    silent: answers.filter((answer) => !hasFired(answer)),
    commands: set.commands(tool, args),
  }
}

interface RulesAndGrants {
  readonly rules: readonly Rule[]
  readonly grants?: readonly Rule[]
}

function hasFired({ rule, answer }: RuleAnswer): boolean {
  return answer === 'yes' || (answer === 'unknown' && rule.decision !== 'allow')
}
