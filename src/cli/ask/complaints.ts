import { readStrictly } from '../arguments/read-strictly.ts'
import type { ChoicesKind, NumberKind, TextKind } from './fields.ts'

/** What is wrong with a text for its field; undefined when nothing is. */
export function complaintAboutText(
  text: string,
  { minLength, maxLength, format }: TextKind,
): string | undefined {
  const length = [...text].length
  if (minLength !== undefined && length < minLength) return `At least ${minLength} characters, not ${length}`
  if (maxLength !== undefined && length > maxLength) return `At most ${maxLength} characters, not ${length}`
  if (format && !formats[format].isOne(text)) return `Must be ${formats[format].example}`
  return undefined
}

export function complaintAboutNumber(text: string, kind: NumberKind): string | undefined {
  const value = readNumber(text, kind)
  const { isWhole, minimum, maximum } = kind
  if (value === undefined) return isWhole ? 'Must be a whole number' : 'Must be a number'
  if (minimum !== undefined && value < minimum) return `Must be ${minimum} or more`
  if (maximum !== undefined && value > maximum) return `Must be ${maximum} or less`
  return undefined
}

/** Undefined when it is none. */
export function readNumber(text: string, { isWhole }: NumberKind): number | undefined {
  const value = readStrictly(text, new Set([isWhole ? 'integer' : 'number']))?.value
  return typeof value === 'number' ? value : undefined
}

export function complaintAboutCount(count: number, { minItems, maxItems }: ChoicesKind): string | undefined {
  if (minItems !== undefined && count < minItems) return `Choose at least ${minItems}`
  if (maxItems !== undefined && count > maxItems) return `Choose at most ${maxItems}`
  return undefined
}

const formats: {
  readonly [format in NonNullable<TextKind['format']>]: {
    readonly example: string
    readonly isOne: (text: string) => boolean
  }
} = {
  email: {
    example: 'an address like ada@example.org',
    isOne: (text) => /^[^\s@]+@[^\s@]+$/.test(text),
  },
  uri: {
    example: 'an address like https://example.org/',
    isOne: (text) => !/\s/.test(text) && URL.canParse(text),
  },
  date: { example: 'a date like 2026-07-28', isOne: isDate },
  'date-time': {
    example: 'a time like 2026-07-28T12:00:00Z',
    isOne: (text) =>
      /^[\d-]{10}[Tt]([01]\d|2[0-3]):[0-5]\d:([0-5]\d|60)(\.\d+)?([Zz]|[+-]([01]\d|2[0-3]):[0-5]\d)$/.test(
        text,
      ) && isDate(text.slice(0, 10)),
  },
}

/** The 30th of February would become a day in March. */
function isDate(text: string): boolean {
  const day = new Date(`${text}T00:00:00Z`)
  return (
    /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text)
  )
}
