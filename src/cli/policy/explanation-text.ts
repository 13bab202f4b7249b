import {
  type EffectiveCommand,
  isReadable,
  type Word,
} from '../../providers/policy/commands/effective-command.ts'
import type { Explanation } from '../../providers/policy/explain.ts'
import type { Decision } from '../../providers/policy/rule.ts'
import type { RuleAnswer } from '../../providers/policy/rule-set.ts'
import { quoted } from '../command-line.ts'
import { oneLine } from '../text/printable.ts'
import { ruleText } from '../text/rule-text.ts'
import type { Style } from '../text/style.ts'

/** An explanation for people: the verdict first, then what led to it. */
export function explanationText(explanation: Explanation, style: Style): string {
  const { decision, fired, silent, commands, paths, suggestion } = explanation
  const rows: readonly (readonly [label: string, lines: readonly string[]])[] = [
    ['verdict', [`${style.bold(paint(decision, decision, style))}: ${because(explanation)}`]],
    ['fired', fired.map((answer) => ruleLine(answer, style))],
    ['not fired', silent.filter(({ rule }) => rule.severity !== 'danger').map((it) => ruleLine(it, style))],
    ['runs', commands.filter(({ role }) => role !== 'possible').map((it) => commandLine(it, style))],
    ['paths', paths.map(oneLine)],
    ['suggestion', decision === 'ask' ? [ruleText(suggestion)] : []],
  ]
  return rows
    .flatMap(([label, lines]) => lines.map((line, index) => `${(index ? '' : label).padEnd(12)}${line}`))
    .join('\n')
}

function because({ rule, reason, granted }: Explanation): string {
  if (granted) return 'the rules say ask, and a remembered grant decides'
  if (reason === 'unevaluable-path')
    return 'where it leads cannot be judged; plain paths can, without .. and ~'
  if (!rule) return 'no rule allows or denies it'
  return rule.note === undefined ? `the rule ${ruleText(rule)}` : oneLine(rule.note)
}

function ruleLine({ rule, answer }: RuleAnswer, style: Style): string {
  const { decision, severity, note } = rule
  const remarks = [
    severity,
    note === undefined ? undefined : oneLine(note),
    meanings[decision === 'allow' ? 'allow' : 'other'][answer],
  ]
  return `${paint(decision, decision.padEnd(5), style)} ${ruleText(rule)} ${style.dim(`(${remarks.filter(Boolean).join('; ')})`)}`
}

const meanings = {
  allow: { yes: 'means this call', no: 'means others', unknown: 'not certain to mean this call' },
  other: { yes: 'means this call', no: 'means others', unknown: 'cannot be ruled out' },
} as const

function commandLine({ program, args, writes, role }: EffectiveCommand, style: Style): string {
  const words = [program, ...args].map(wordText)
  const redirections = writes.map((write) => `> ${wordText(write)}`)
  const remark = role === 'passing' ? style.dim(' (hands over)') : ''
  return oneLine([...words, ...redirections].join(' ')) + remark
}

function wordText(word: Word): string {
  return isReadable(word) ? quoted(word) : `‹${word.source || 'anything'}›`
}

function paint(decision: Decision, text: string, style: Style): string {
  if (decision === 'allow') return style.green(text)
  return decision === 'deny' ? style.red(text) : style.yellow(text)
}
