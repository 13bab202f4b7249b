import type { ElicitResult } from '../../protocol/elicitation.ts'
import { oneLine } from '../text/printable.ts'
import { complaintAboutCount, complaintAboutNumber, complaintAboutText, readNumber } from './complaints.ts'
import type { Field } from './fields.ts'
import type { Prompter } from './prompter.ts'

export type FieldValue = NonNullable<ElicitResult['content']>[string]

export type FieldAnswer =
  | { readonly kind: 'value'; readonly value: FieldValue }
  | { readonly kind: 'leftOut' }
  | { readonly kind: 'cancelled' }

/** Asks for one field. `known` is what it was given before; its default stands in until then. */
export async function askField(
  field: Field,
  known: FieldValue | undefined,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<FieldAnswer> {
  const message = messageOf(field, prompter)
  switch (field.kind) {
    case 'text':
    case 'number': {
      const initial = known ?? field.default
      const complain = (text: string) => complaintAbout(text, field)
      const text = await prompter.write(message, complain, prefill(initial), signal)
      if (text === undefined) return cancelled
      if (text === '') return leftOut
      return value(field.kind === 'text' ? text : (readNumber(text, field) ?? text))
    }
    case 'yesOrNo': {
      const options = [
        { value: 'yes', label: 'Yes' },
        { value: 'no', label: 'No' },
      ]
      const initial = known ?? field.default
      const chosen = await choose(
        field,
        options,
        typeof initial === 'boolean' ? (initial ? 'yes' : 'no') : undefined,
        { message, prompter, signal },
      )
      return chosen.kind === 'value' ? value(chosen.value === 'yes') : chosen
    }
    case 'choice': {
      const initial = known ?? field.default
      const index = field.options.findIndex((option) => option.value === initial)
      const options = field.options.map(({ label }, index) => ({ value: `${index}`, label }))
      const place = { message, prompter, signal }
      const chosen = await choose(field, options, index < 0 ? undefined : `${index}`, place)
      return chosen.kind === 'value' ? value(field.options[Number(chosen.value)]?.value ?? '') : chosen
    }
    case 'choices':
      return askForSome(field, known, message, prompter, signal)
    case 'unknown':
      return leftOut
  }
}

interface Place {
  readonly message: string
  readonly prompter: Prompter
  readonly signal: AbortSignal
}

/** One of several, or none where the field may be left out. */
async function choose(
  { isRequired }: Field,
  options: readonly { readonly value: string; readonly label: string }[],
  initial: string | undefined,
  { message, prompter, signal }: Place,
): Promise<FieldAnswer> {
  const none = { value: 'none', label: '(leave out)' }
  const all = isRequired ? options : [...options, none]
  const chosen = await prompter.choose(message, all, initial ?? (isRequired ? undefined : none.value), signal)
  if (chosen === undefined) return cancelled
  return chosen === none.value ? leftOut : value(chosen)
}

async function askForSome(
  field: Field & { readonly kind: 'choices' },
  known: FieldValue | undefined,
  message: string,
  prompter: Prompter,
  signal: AbortSignal,
): Promise<FieldAnswer> {
  let initial = Array.isArray(known) ? known : (field.default ?? [])
  for (;;) {
    const options = field.options.map(({ label }, index) => ({ value: `${index}`, label }))
    const marked = options
      .filter((_, index) => initial.includes(field.options[index]?.value ?? ''))
      .map((it) => it.value)
    const chosen = await prompter.chooseMany(message, options, marked, signal)
    if (!chosen) return cancelled
    if (chosen.length === 0 && !field.isRequired) return leftOut
    const values = chosen.map((index) => field.options[Number(index)]?.value ?? '')
    const complaint = complaintAboutCount(values.length, field)
    if (!complaint) return value(values)
    prompter.say(prompter.style.yellow(`${complaint}.`))
    initial = values
  }
}

/** What stands there to begin with is typed for the person: control characters in it would be keys. */
function prefill(initial: FieldValue | undefined): string {
  const text = initial === undefined ? '' : String(initial)
  return oneLine(text) === text ? text : ''
}

/** Nothing at all is no text. */
function complaintAbout(
  text: string,
  field: Field & { readonly kind: 'text' | 'number' },
): string | undefined {
  if (text === '') return field.isRequired ? 'This is required' : undefined
  return field.kind === 'text' ? complaintAboutText(text, field) : complaintAboutNumber(text, field)
}

function messageOf({ label, description, isRequired }: Field, { style }: Prompter): string {
  const remarks = [description, isRequired ? 'required' : ''].filter(Boolean).join('; ')
  return remarks ? `${label} ${style.dim(`(${remarks})`)}` : label
}

function value(value: FieldValue): FieldAnswer {
  return { kind: 'value', value }
}

const leftOut: FieldAnswer = { kind: 'leftOut' }
const cancelled: FieldAnswer = { kind: 'cancelled' }
