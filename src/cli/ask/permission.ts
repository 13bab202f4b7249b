import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { PermissionAnswer, PermissionRequest } from '../../providers/policy/ask.ts'
import { reasonParam } from '../../providers/reasons.ts'
import { escapeUnseen } from '../text/json-text.ts'
import { layoutJson } from '../text/layout-json.ts'
import { plainText } from '../text/plain-text.ts'
import { oneLine } from '../text/printable.ts'
import { ruleText } from '../text/rule-text.ts'
import type { Style } from '../text/style.ts'
import type { Choice, Prompter } from './prompter.ts'

type Action = PermissionAnswer['action']

/** Whether a call may be made. Enter alone allows nothing, and neither does Esc. */
export async function askPermission(
  request: PermissionRequest,
  prompter: Prompter,
  { grantsFile, signal }: { readonly grantsFile: string | undefined; readonly signal: AbortSignal },
): Promise<PermissionAnswer> {
  const { style } = prompter
  const isDanger = request.rule?.severity === 'danger'
  prompter.say(questionText(request, style))
  const message = `${isDanger ? style.red('Danger. ') : ''}Allow this call of ${oneLine(request.tool)}?`
  const action = await prompter.choose(message, choices(request, grantsFile), 'deny-once', signal)
  return { action: action ?? 'deny-once' }
}

/** What it is about: the tool, its arguments, then what is said of them, and where it leads: next to the question, however long the rest. */
export function questionText(request: PermissionRequest, style: Style): string {
  const { tool, rule, reason, paths } = request
  const { [reasonParam]: why, ...args } = request.arguments
  const isReason = typeof why === 'string' && why.length <= longestReason
  const isDanger = rule?.severity === 'danger'
  const paint = isDanger ? (text: string) => style.red(text) : (text: string) => style.yellow(text)
  return [
    style.bold(oneLine(tool)),
    ...argumentLines(isReason ? args : request.arguments),
    ...(isReason ? [`  ${style.dim('reason')}  ${oneLine(why)}`] : []),
    ...paths.map((path) => `  ${style.dim('where')}   ${plainText(path)}`),
    `  ${paint(`${isDanger ? 'danger: ' : ''}${because(reason, rule?.note)}`)}`,
  ].join('\n')
}

/** A longer one is shown as what it is: an argument. */
const longestReason = 300

/** All of them, however long: what is not seen cannot be allowed. */
function argumentLines(args: JsonObject): readonly string[] {
  return Object.entries(args).map(
    ([name, value]) => `  ${plainText(name)}: ${escapeUnseen(layoutJson(value, 80, '  '))}`,
  )
}

function because(reason: PermissionRequest['reason'], note: string | undefined): string {
  if (note !== undefined) return oneLine(note)
  if (reason === 'unevaluable-path') return 'where it leads cannot be judged'
  return reason === 'rule' ? 'a rule says to ask' : 'no rule speaks of it'
}

/**
 * No grant allows what is dangerous, so it is not offered; and a call that leads nobody knows where is no reason to allow its tool
 * everywhere.
 */
function choices(
  { suggestion, rule, reason }: PermissionRequest,
  grantsFile: string | undefined,
): readonly Choice<Action>[] {
  const what = ruleText(suggestion)
  const hint = grantsFile === undefined ? 'while this runs' : `saved in ${oneLine(grantsFile)}`
  const isForOnce = rule?.severity === 'danger' || reason === 'unevaluable-path'
  return [
    { value: 'allow-once', label: 'Allow once' },
    ...(isForOnce ? [] : [{ value: 'always-allow' as const, label: `Always allow ${what}`, hint }]),
    { value: 'deny-once', label: 'Deny once' },
    { value: 'always-deny', label: `Always deny ${what}`, hint },
  ]
}
