import { oneLine } from './printable.ts'

/** What a description says first: its first line, cut to whole sentences, or words, when longer than `most`. */
export function summary(description: string, most: number | undefined): string {
  const line = oneLine(description.trim().split('\n')[0])
  if (most === undefined || line.length <= most) return line
  const start = line.slice(0, most + 1)
  const sentences = /^.*[.!?](?=\s)/.exec(start)?.[0]
  if (sentences) return sentences
  const words = line.slice(0, most - 1).replace(/\s+\S*$/, '')
  return `${words}…`
}
