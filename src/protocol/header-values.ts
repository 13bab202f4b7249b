const opensSentinel = '=?base64?'
const closesSentinel = '?='

/**
 * A value as an HTTP header may carry it: plain where every character is printable ASCII and neither end is blank, else
 * `=?base64?…?=` over its UTF-8. What looks like such a sentinel is encoded too. Source: basic/transports/streamable-http.
 */
export function headerValue(value: string): string {
  const isPlain = /^[\x20-\x7e]*$/.test(value) && value.trim() === value
  const looksEncoded = value.startsWith(opensSentinel) && value.endsWith(closesSentinel)
  if (isPlain && !looksEncoded) return value
  return `${opensSentinel}${Buffer.from(value, 'utf8').toString('base64')}${closesSentinel}`
}

/** What a header says of the body; undefined for a sentinel whose base64 is none. Anything else is literal. */
export function readHeaderValue(header: string): string | undefined {
  if (!header.startsWith(opensSentinel) || !header.endsWith(closesSentinel)) return header
  const base64 = header.slice(opensSentinel.length, -closesSentinel.length)
  const bytes = Buffer.from(base64, 'base64')
  return bytes.toString('base64') === base64 ? bytes.toString('utf8') : undefined
}
