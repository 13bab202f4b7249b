/** What somebody else's code threw, as text. It may throw anything: a symbol, nothing at all, an object without a primitive value. */
export function thrownMessage(thrown: unknown): string {
  try {
    return thrown instanceof Error ? String(thrown.message) : String(thrown)
  } catch {
    return `a value of type ${typeof thrown}`
  }
}
