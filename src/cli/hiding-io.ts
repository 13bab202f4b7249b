import { redactor } from '../redactor.ts'
import type { Io, Sink } from './io.ts'

/** Hides secrets in all that is said on stderr. What is written to stdout is mostly a server's own answer, and stays as it is. */
export interface HidingIo extends Io {
  /** From now on these are hidden too. */
  hide(secrets: readonly string[]): void
}

export function hiding(io: Io): HidingIo {
  const hidden = new Set<string>()
  let redact = (text: string) => text
  return {
    ...io,
    err: redacted(io.err, (text) => redact(text)),
    hide: (secrets) => {
      const before = hidden.size
      for (const secret of secrets) hidden.add(secret)
      if (hidden.size > before) redact = redactor([...hidden])
    },
  }
}

/** Whoever writes gives it whole lines. */
function redacted(sink: Sink, redact: (text: string) => string): Sink {
  return {
    get isTerminal() {
      return sink.isTerminal
    },
    get columns() {
      return sink.columns
    },
    get rows() {
      return sink.rows
    },
    write: (chunk) => sink.write(typeof chunk === 'string' ? redact(chunk) : chunk),
  }
}
