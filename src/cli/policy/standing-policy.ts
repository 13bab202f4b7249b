import type { Config } from '../../config/config.ts'
import type { EvaluationOptions } from '../../providers/policy/evaluation-options.ts'
import { readRules } from '../../providers/policy/read-rules.ts'
import type { Rule } from '../../providers/policy/rule.ts'
import { standing } from '../../providers/standing.ts'

/** Rules, and what they are measured by. */
export interface StandingPolicy extends Pick<EvaluationOptions, 'checks' | 'roots'> {
  readonly rules: readonly Rule[]
}

/** What a configuration says of permissions, on the danger floor; `otherwise` are the rules of one that has none. @throws ConfigError */
export function standingPolicy(
  { settings: { rules, roots, floor }, files: [file = ''] }: Pick<Config, 'settings' | 'files'>,
  otherwise?: readonly Rule[],
): StandingPolicy {
  const given = rules === undefined ? otherwise : readRules(rules, { path: placeOf(file), checks: 'any' })
  return {
    ...standing(given === undefined ? {} : { rules: given }, floor ? {} : false),
    ...(roots && { roots }),
  }
}

function placeOf(file: string): readonly string[] {
  return file === '' ? ['troupe', 'rules'] : [`${file}: troupe`, 'rules']
}
