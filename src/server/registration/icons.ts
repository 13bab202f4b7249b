/** What is wrong with the icons of a server or of what it offers, or undefined. */
export function icons(value: unknown): string | undefined {
  return Array.isArray(value) ? undefined : 'must be an array of icons'
}
