/**
 * A server's text as a terminal may be given it: no colours, and control characters that would move the cursor, set the title,
 * reach the clipboard or turn the order of what is read around are shown instead of obeyed.
 */
export function printable(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(colours, '').replaceAll(controls, visible)
}

/** The same on one line, for names and the like, and no longer than anybody reads; empty for what is no text, though it should be. */
export function oneLine(text: unknown): string {
  if (typeof text !== 'string') return ''
  return printable(text.length > longest ? `${text.slice(0, longest)}…` : text)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

const longest = 10_000

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const colours = /\u001b\[[\d;]*m/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const controls = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u2028\u2029\u202a-\u202e\u2066-\u2069]/g

function visible(control: string): string {
  const code = control.charCodeAt(0)
  if (code < 0x20) return `^${String.fromCharCode(code + 64)}`
  if (code === 0x7f) return '^?'
  return code > 0xff ? `\\u${code.toString(16)}` : `\\x${code.toString(16)}`
}
