/** Whether it is a regular expression as JSON Schema means it. */
export function compiles(pattern: string): boolean {
  return isRegExp(pattern, 'u') || isRegExp(pattern, '')
}

/** Whether engines that know neither lookaround nor back references, and those of other languages, read it as ours does. */
export function isPortable(pattern: string): boolean {
  if (!compiles(pattern) || pattern.includes('\\u{')) return false
  const escapes = [...pattern.matchAll(/\\(.)/gs)].map(([, escaped = '']) => escaped)
  const unescaped = pattern.replaceAll(/\\./gs, '')
  return (
    escapes.every((escaped) => /[dDwWsSbBnrtfvxu0\W]/.test(escaped)) && !/\(\?(?!:)|\[\^?\]/.test(unescaped)
  )
}

function isRegExp(pattern: string, flags: string): boolean {
  try {
    return new RegExp(pattern, flags) instanceof RegExp
  } catch {
    return false
  }
}
