import type { Io, Sink } from './io.ts'

/** Hides secrets in all that is said on stderr. What is written to stdout is the server's own answer, and stays as it is. */
export interface HidingIo extends Io {
  /** From now on. */
  hide(secrets: readonly string[]): Promise<void>
}

export function hiding(io: Io): HidingIo {
  const secrets = new Set<string>()
  let redact = (text: string) => text
  const err: Sink = {
    get isTerminal() {
      return io.err.isTerminal
    },
    get columns() {
      return io.err.columns
    },
    write: (chunk) => io.err.write(typeof chunk === 'string' ? redact(chunk) : chunk),
  }
  return {
    ...io,
    err,
    hide: async (more) => {
      const { redactor } = await import('../config/secrets.ts')
      for (const secret of more) secrets.add(secret)
      redact = redactor([...secrets])
    },
  }
}
