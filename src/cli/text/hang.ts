import { fill, visibleWidth } from './wrap.ts'

const deeper = '      '

/** Breaks every line by itself, also within words too long for it; what is broken off stands deeper than any line begins. */
export function hang(text: string, width: number): string {
  return text
    .split('\n')
    .map((line) => {
      const lead = /^\s*/.exec(line)?.[0] ?? ''
      const indent = lead + deeper
      const words = line
        .trim()
        .split(' ')
        .flatMap((word) => pieces(word, Math.max(width - indent.length, 20)))
      return fill(words, width, lead, indent).trimEnd()
    })
    .join('\n')
}

/** Colours are words' own, and short. */
function pieces(word: string, room: number): readonly string[] {
  if (visibleWidth(word) <= room || word.includes('\u001b')) return [word]
  const found: string[] = []
  let piece = ''
  let taken = 0
  for (const character of word) {
    const width = visibleWidth(character)
    if (taken + width > room) {
      found.push(piece)
      piece = ''
      taken = 0
    }
    piece += character
    taken += width
  }
  return [...found, piece]
}
