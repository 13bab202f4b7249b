/** What one task of the pool is to search. */
export interface SearchTask {
  readonly source: string
  readonly flags: string
  /** How many matching lines are wanted at most. */
  readonly most: number
  readonly files: readonly Uint8Array[]
}

export interface LineMatch {
  /** From 1. */
  readonly line: number
  /** At most 300 characters of it, around the beginning of the match. */
  readonly text: string
}

/** `file` is an index. */
export interface FileMatch extends LineMatch {
  readonly file: number
}

/** The thread entry: the lines that a regular expression matches. It may take for ever: whoever asks ends the thread then. */
export default function search({ source, flags, most, files }: SearchTask): readonly FileMatch[] {
  const expression = new RegExp(source, flags)
  const matches: FileMatch[] = []
  for (const [file, bytes] of files.entries()) {
    // No text.
    if (bytes.includes(0)) continue
    let line = 0
    for (const text of decoder.decode(bytes).split(/\r?\n/)) {
      line += 1
      const match = expression.exec(text)
      if (match) matches.push({ file, line, text: cut(text, match.index) })
      if (matches.length === most) return matches
    }
  }
  return matches
}

function cut(text: string, index: number): string {
  if (text.length <= mostShown) return text
  const begin = Math.max(0, Math.min(index - mostShown / 3, text.length - mostShown))
  return `${begin > 0 ? '…' : ''}${text.slice(begin, begin + mostShown)}${begin + mostShown < text.length ? '…' : ''}`
}

const mostShown = 300
const decoder = new TextDecoder()
