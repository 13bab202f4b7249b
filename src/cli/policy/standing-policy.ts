import type { Config } from '../../config/config.ts'
import { checkEvaluationOptions, type EvaluationOptions } from '../../providers/policy/evaluation-options.ts'
import { readRules } from '../../providers/policy/read-rules.ts'
import type { Rule } from '../../providers/policy/rule.ts'
import { standing } from '../../providers/standing.ts'

/** Rules, and what they are measured by. */
export interface StandingPolicy extends Pick<EvaluationOptions, 'checks' | 'roots'> {
  readonly rules: readonly Rule[]
}

/**
 * What a configuration says of permissions, on the danger floor; `otherwise` are the rules of one that has none, by default
 * `Policy.defaultRules()`.
 * @throws ConfigError for what could not be used
 */
export function standingPolicy(
  { settings: { rules, roots, floor }, files: [file] }: Pick<Config, 'settings' | 'files'>,
  otherwise?: readonly Rule[],
): StandingPolicy {
  const path = [file === undefined ? 'troupe' : `${file}: troupe`, 'rules']
  const ground = floor ? {} : false
  const { checks = {} } = standing({ rules: [] }, ground)
  const given = rules === undefined ? otherwise : readRules(rules, { path, checks: Object.keys(checks) })
  if (roots) checkEvaluationOptions({ roots })
  return { ...standing(given === undefined ? {} : { rules: given }, ground), ...(roots && { roots }) }
}
