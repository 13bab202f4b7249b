import { Refusal } from '../root/refusal.ts'

export interface LineRange {
  /** From 1; default 1. */
  readonly firstLine?: number
  /** Default the last one there is. */
  readonly lastLine?: number
}

export interface PartOfText {
  readonly text: string
  /** There when not all that was asked for is in it. */
  readonly note?: string
}

/** Whole lines with their ends, as many as fit; a first one that is too long by itself is cut. @throws Refusal for lines that are not there */
export function partOf(
  text: string,
  { firstLine = 1, lastLine = Number.POSITIVE_INFINITY }: LineRange,
  maxBytes: number,
): PartOfText {
  if (lastLine < firstLine) throw new Refusal('lastLine is before firstLine')
  let [begin, end, last, bytes] = [0, 0, 0, 0]
  let lines = 0
  let isFull = false
  for (let at = 0; ; ) {
    const next = text.indexOf('\n', at) + 1 || text.length
    lines += 1
    if (lines === firstLine) begin = end = at
    if (lines >= firstLine && lines <= lastLine && !isFull) {
      bytes += Buffer.byteLength(text.slice(at, next))
      isFull = bytes > maxBytes
      if (!isFull) [end, last] = [next, lines]
    }
    at = next
    if (at === text.length) break
  }
  if (firstLine > lines) throw new Refusal(`firstLine is ${firstLine}, and it has ${countOf(lines)}`)
  if (!isFull) return { text: text.slice(begin, end) }
  if (last === 0) {
    const note = `[cut: line ${firstLine} of ${lines} is longer than one answer may be]`
    return { text: beginning(text.slice(begin), maxBytes), note }
  }
  const note = `[lines ${firstLine} to ${last} of ${lines}; read on with firstLine ${last + 1}]`
  return { text: text.slice(begin, end), note }
}

function countOf(lines: number): string {
  return lines === 1 ? '1 line' : `${lines} lines`
}

/** Without a character that would be torn. */
function beginning(text: string, maxBytes: number): string {
  const bytes = new Uint8Array(maxBytes)
  return text.slice(0, new TextEncoder().encodeInto(text, bytes).read)
}
