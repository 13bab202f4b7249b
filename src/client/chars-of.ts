/** About how many characters a JSON value is as text: cheap enough to be asked of every note that waits. */
export function charsOf(value: unknown): number {
  if (typeof value === 'string') return value.length
  if (typeof value !== 'object' || value === null) return perValue
  let chars = perValue
  for (const [key, member] of Object.entries(value)) chars += key.length + perValue + charsOf(member)
  return chars
}

/** Braces, quotes, a colon, a comma: what small things cost. */
const perValue = 4
