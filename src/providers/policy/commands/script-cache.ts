import { type Reading, readScript } from './read-script.ts'

const mostScripts = 256
/** Longer ones are rare, and would make the cache large. */
const longestKept = 8192

/** Scripts that were taken apart lately. */
export class ScriptCache {
  readonly #readings = new Map<string, Reading>()

  readonly read = (text: string): Reading => {
    const known = this.#readings.get(text)
    if (known) {
      // Moved to the end: the front is what was not needed for longest.
      this.#readings.delete(text)
      this.#readings.set(text, known)
      return known
    }
    const reading = readScript(text)
    if (text.length <= longestKept) this.#keep(text, reading)
    return reading
  }

  #keep(text: string, reading: Reading): void {
    this.#readings.set(text, reading)
    for (const oldest of this.#readings.keys()) {
      if (this.#readings.size <= mostScripts) break
      this.#readings.delete(oldest)
    }
  }
}
