/** The beginning of a text, and how much is missing. The note of that comes on top of `maxChars`. No surrogate pair is torn. */
export function cutText(text: string, maxChars: number | undefined): string {
  if (maxChars === undefined || text.length <= maxChars) return text
  const end = isInsidePair(text, maxChars) ? maxChars - 1 : maxChars
  return `${text.slice(0, end)}\n[cut: ${text.length - end} of ${text.length} characters are not shown]`
}

function isInsidePair(text: string, index: number): boolean {
  return /^[\uD800-\uDBFF][\uDC00-\uDFFF]$/.test(text.slice(index - 1, index + 1))
}
