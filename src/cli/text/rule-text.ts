import type { Rule } from '../../providers/policy/rule.ts'
import { plainText } from './plain-text.ts'
import { oneLine } from './printable.ts'

/** What calls a rule is about, in words. */
export function ruleText({
  tool,
  under,
  command,
  args,
  argsAny,
  check,
  host,
}: Omit<Rule, 'decision'>): string {
  const parts = [
    tool === '*' ? 'any tool' : tool,
    command === undefined ? '' : `running ${[command, ...(args ?? [])].join(' ')}`,
    argsAny === undefined ? '' : `with ${argsAny.join(' or ')}`,
    check === undefined ? '' : `found by ${check}`,
    under === undefined ? '' : `under ${plainText(under)}`,
    host === undefined ? '' : `at ${host}`,
  ]
  return oneLine(parts.filter(Boolean).join(' '))
}
