import { stripVTControlCharacters } from 'node:util'

/** Breaks text at spaces, each line of it by itself. Without a width nothing is broken, only indented. */
export function wrap(text: string, width: number | undefined, indent = ''): string {
  return text
    .split('\n')
    .map((line) => {
      const lead = indent + (/^\s*/.exec(line)?.[0] ?? '')
      return fill(line.trim().split(' '), width, lead, lead).trimEnd()
    })
    .join('\n')
}

/** Sets pieces that should not be broken one after another, as many a line as fit; one that is too long is broken all the same. */
export function fill(
  pieces: readonly string[],
  width: number | undefined,
  firstIndent: string,
  indent: string,
): string {
  if (width === undefined) return firstIndent + pieces.join(' ')
  const room = Math.max(width, minimumWidth)
  const fitting = pieces.flatMap((piece) =>
    visibleWidth(piece) > room - visibleWidth(indent) ? piece.split(' ') : [piece],
  )
  const lines: string[] = []
  let line = firstIndent
  let isEmpty = true
  for (const piece of fitting) {
    if (!isEmpty && visibleWidth(line) + 1 + visibleWidth(piece) > room) {
      lines.push(line)
      line = indent
      isEmpty = true
    }
    line += isEmpty ? piece : ` ${piece}`
    isEmpty = false
  }
  return [...lines, line].join('\n')
}

/** Columns a text takes; close enough for whatever is no emoji sequence. */
export function visibleWidth(text: string): number {
  if (plain.test(text)) return text.length
  let width = 0
  for (const character of stripVTControlCharacters(text))
    width += wide.test(character) ? 2 : combining.test(character) ? 0 : 1
  return width
}

const plain = /^[ -~]*$/
const wide =
  /[\p{Emoji_Presentation}\u1100-\u115f\u2e80-\u303e\u3041-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/u
const combining = /\p{Mn}|[\u200b-\u200d]/u
/** Narrower terminals get long lines rather than one word on each. */
const minimumWidth = 20
