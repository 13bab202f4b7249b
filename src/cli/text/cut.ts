import { visibleWidth } from './wrap.ts'

/** A line of text, without colours, that takes at most so many columns. */
export function cut(text: string, columns: number): string {
  let width = 0
  let end = 0
  let kept = 0
  for (const character of text) {
    width += visibleWidth(character)
    end += character.length
    if (width > columns) return `${text.slice(0, kept)}…`
    if (width < columns) kept = end
  }
  return text
}
