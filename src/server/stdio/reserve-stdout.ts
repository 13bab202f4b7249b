/** What is still written to stdout while it is reserved. */
export interface ReservedStdout {
  readonly write: (text: string) => boolean
  release(): void
}

let inForce: ReservedStdout | undefined

/**
 * Keeps stdout for one writer: what anything else in this process writes there, as `console.log` does, goes to stderr. Reserved a
 * second time it stays with whom it was reserved for first.
 */
export function reserveStdout(): ReservedStdout {
  if (inForce) return { write: inForce.write, release: () => {} }
  const { stdout, stderr } = process
  const { write } = stdout
  const divert = stderr.write.bind(stderr)
  stdout.write = divert
  inForce = {
    write: (text) => write.call(stdout, text),
    release: () => {
      inForce = undefined
      if (stdout.write === divert) stdout.write = write
    },
  }
  return inForce
}
