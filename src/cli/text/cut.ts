import { visibleWidth } from './wrap.ts'

/** A line of text, without colours, that takes at most so many columns. */
export function cut(text: string, columns: number): string {
  if (visibleWidth(text) <= columns) return text
  let kept = ''
  for (const character of text) {
    if (visibleWidth(kept + character) >= columns) break
    kept += character
  }
  return `${kept}…`
}
