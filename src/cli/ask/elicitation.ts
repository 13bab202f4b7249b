import type {
  ElicitRequestFormParams,
  ElicitRequestURLParams,
  ElicitResult,
} from '../../protocol/elicitation.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import { printable } from '../text/printable.ts'
import { askField, type FieldValue } from './ask-field.ts'
import { askUrl } from './ask-url.ts'
import { readFields } from './fields.ts'
import type { Prompter } from './prompter.ts'

/** Who asks, and until when. */
export interface Asking {
  /** Printable. */
  readonly serverName: string
  readonly signal: AbortSignal
}

/** A server's question. Declining says no; Esc cancels, which says nothing. */
export async function askElicitation(
  { params }: InputRequest,
  prompter: Prompter,
  asking: Asking,
): Promise<ElicitResult> {
  const { style } = prompter
  prompter.say(`${style.bold(asking.serverName)} asks: ${messageText(params.message)}`)
  return params.mode === 'url'
    ? askUrl(params as unknown as ElicitRequestURLParams, prompter, asking)
    : askForm(params as unknown as ElicitRequestFormParams, prompter, asking)
}

async function askForm(
  params: ElicitRequestFormParams,
  prompter: Prompter,
  { serverName, signal }: Asking,
): Promise<ElicitResult> {
  const fields = readFields(params)
  const strange = fields.find(({ kind, isRequired }) => kind === 'unknown' && isRequired)
  if (strange) {
    prompter.say(prompter.style.yellow(`It requires ${strange.label}, of a kind nobody knows: declined.`))
    return { action: 'decline' }
  }
  let known: { readonly [field: string]: FieldValue } = {}
  const offered = [{ value: 'answer' as const, label: 'Answer' }, decline]
  let next: 'answer' | 'decline' | 'send' | undefined = await prompter.choose(
    `Answer ${serverName}?`,
    offered,
    'decline',
    signal,
  )
  while (next === 'answer') {
    const content: { [field: string]: FieldValue } = {}
    for (const field of fields) {
      const answer = await askField(field, known[field.name], prompter, signal)
      if (answer.kind === 'cancelled') return { action: 'cancel' }
      if (answer.kind === 'value') content[field.name] = answer.value
    }
    known = content
    next = await prompter.choose(`Send this to ${serverName}?`, [send, change, decline], 'send', signal)
  }
  if (next === 'send') return { action: 'accept', content: known }
  return { action: next ?? 'cancel' }
}

/** Several lines are marked as the server's: none of them is taken for one of ours. */
function messageText(message: unknown): string {
  const text = typeof message === 'string' ? message : (JSON.stringify(message) ?? '')
  const more = text.length - longestMessage
  const shown = more > 0 ? `${text.slice(0, longestMessage)}… (${more} characters more)` : text
  const lines = printable(shown).trimEnd().split('\n')
  return lines.length > 1 ? lines.map((line) => `\n  > ${line}`).join('') : (lines[0] ?? '')
}

/** A screenful or two. */
const longestMessage = 4_000

const send = { value: 'send', label: 'Send' } as const
const change = { value: 'answer', label: 'Change it' } as const
const decline = { value: 'decline', label: 'Decline' } as const
