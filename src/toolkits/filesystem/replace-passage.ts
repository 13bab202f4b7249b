import { Refusal } from '../root/refusal.ts'
import { tooLarge } from './file-bytes.ts'
import { occurrences, stands } from './occurrences.ts'

export interface Replacement {
  readonly oldText: string
  readonly newText: string
  /** Whether it may stand there more than once, and is replaced everywhere; default false. */
  readonly all?: boolean
}

export interface Edited {
  readonly text: string
  /** The lines where what was replaced began, from 1. */
  readonly lines: readonly number[]
}

/** @throws Refusal when there is nothing to replace, it is not clear what, or it would become more than `maxBytes` */
export function replacePassage(
  text: string,
  { oldText, newText, all = false }: Replacement,
  maxBytes: number,
): Edited {
  if (oldText === newText) throw new Refusal('oldText and newText are the same')
  const parts: string[] = []
  const lines: number[] = []
  let [end, line] = [0, 1]
  for (const at of occurrences(text, oldText)) {
    // Overlapping ones are not replaced, but are reason enough to ask.
    if (!all && lines.length > 0)
      throw new Refusal(
        'oldText stands there more than once; give more of what is around it, or say all: true',
      )
    if (at < end) continue
    const before = text.slice(end, at)
    line += lineEnds(before)
    lines.push(line)
    line += lineEnds(oldText)
    parts.push(before)
    // Before it is put together: a few bytes can stand for terabytes.
    if (lines.length * newText.length > maxBytes) throw tooLarge(lines.length * newText.length, maxBytes)
    if (lines.length > mostReplaced) throw new Refusal(`oldText stands there more than ${mostReplaced} times`)
    end = at + oldText.length
  }
  if (lines.length === 0) throw new Refusal(`oldText does not stand there${hint(text, oldText)}`)
  return { text: [...parts, text.slice(end)].join(newText), lines }
}

function hint(text: string, oldText: string): string {
  if (stands(oldText.replaceAll(/\r?\n/g, '\r\n'), text)) return ': its lines end in \\r\\n'
  return stands(squeezed(oldText), squeezed(text))
    ? ' so: blanks or line ends differ; read it again and copy exactly'
    : '; read it again, it may be another version'
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function lineEnds(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

const mostReplaced = 100_000
