/** A name or path as a line of an answer has it: one that holds line ends or other controls, and could pass for several lines, as JSON. */
export function onOneLine(path: string): string {
  if (!controls.test(path)) return path
  return JSON.stringify(path).replaceAll(new RegExp(controls, 'gu'), escaped)
}

const controls = /[\p{Cc}\u2028\u2029]/u

/** What JSON leaves as it is. */
function escaped(char: string): string {
  return `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`
}
