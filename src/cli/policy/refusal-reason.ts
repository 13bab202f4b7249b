import type { Config } from '../../config/config.ts'
import type { Explanation } from '../../providers/policy/explain.ts'
import { jsonText } from '../text/json-text.ts'

/** Why a call was not made, and what to do about it. `isAsked`: the person was asked, and did not allow it. */
export function refusalReason(
  explanation: Explanation,
  config: Config | undefined,
  isAsked: boolean,
): string {
  const { decision, granted, rule } = explanation
  const file = config?.files[0] ?? 'the danger floor'
  if (isAsked) return 'you did not allow it.'
  if (granted) return `you refused such calls for good; ${config?.settings.grantsFile} remembers it.`
  if (decision === 'deny') return `the rules of ${file} refuse it${rule?.note ? `: ${rule.note}` : '.'}`
  return `${because(explanation)}, and nobody was asked.\n${whatToDo(explanation, file)}`
}

function because({ reason, rule }: Explanation): string {
  if (reason === 'unevaluable-path') return 'where it leads cannot be judged'
  if (!rule) return 'no rule allows it'
  return rule.note === undefined ? 'a rule says to ask first' : `a rule says to ask first (${rule.note})`
}

function whatToDo({ rule, reason, suggestion }: Explanation, file: string): string {
  if (rule || reason === 'unevaluable-path') return '--ask puts it to you.'
  const allowing = jsonText({ ...suggestion, decision: 'allow' })
  return `--ask puts it to you; a rule among those of ${file} allows it for good: ${allowing}`
}
