/** Whether a value is one scope (RFC 6749): visible ASCII without quotation marks and backslashes. */
export function isScope(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21\x23-\x5b\x5d-\x7e]+$/.test(value)
}

/** Whether all that is needed is granted. Nothing is known of one scope including another: `verify` may spell that out. */
export function covers(granted: readonly string[], needed: readonly string[]): boolean {
  return needed.every((scope) => granted.includes(scope))
}
