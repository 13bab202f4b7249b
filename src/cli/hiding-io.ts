import type { Io, Sink } from './io.ts'

/** Hides secrets in all that is said on stderr. What is written to stdout is mostly a server's own answer, and stays as it is. */
export interface HidingIo extends Io {
  /** What hides more of them from now on. */
  hide(redact: (text: string) => string): void
}

export function hiding(io: Io): HidingIo {
  let redact = (text: string) => text
  return {
    ...io,
    err: redacted(io.err, (text) => redact(text)),
    hide: (how) => {
      const before = redact
      redact = (text) => how(before(text))
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
