import { cut } from './cut.ts'
import { oneLine } from './printable.ts'

/** What a description says first: its first line, cut to whole sentences, or words, when it takes more than `most` columns. */
export function summary(description: string, most: number | undefined): string {
  const line = oneLine(description.trim().split('\n')[0])
  const shown = most === undefined ? line : cut(line, most)
  if (shown === line) return line
  const start = shown.slice(0, -1)
  const sentences = /^.*[.!?](?=\s)/.exec(`${start} `)?.[0]
  if (sentences) return sentences
  const words = start.replace(/\s+\S*$/, '')
  return `${words}…`
}
