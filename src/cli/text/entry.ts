import type { Sink } from '../io.ts'
import type { Style } from './style.ts'
import { summary } from './summary.ts'
import { wrap } from './wrap.ts'

/** One entry of a list: its head, and below it what its description says first, in two lines at most on a terminal. */
export function entry(head: string, description: unknown, sink: Sink, style: Style): string {
  if (typeof description !== 'string' || description.trim() === '') return head
  const { columns } = sink
  const text = summary(description, columns && 2 * (columns - indent.length) - 10)
  return `${head}\n${style.dim(wrap(text, columns, indent))}`
}

const indent = '  '
