/** The strings of a list that somebody else wrote; of anything else none. */
export function textsIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'string') : []
}
