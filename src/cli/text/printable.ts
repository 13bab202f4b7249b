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
const controls =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]/gu

function visible(control: string): string {
  const code = control.codePointAt(0) ?? 0
  if (code < 0x20) return `^${String.fromCharCode(code + 64)}`
  if (code === 0x7f) return '^?'
  if (code > 0xffff) return `\\u{${code.toString(16)}}`
  return code > 0xff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\x${code.toString(16)}`
}
