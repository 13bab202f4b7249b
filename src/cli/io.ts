import type { Readable, Writable } from 'node:stream'

/** Everything a command may touch outside of its server: given from outside, so that tests can look on. */
export interface Io {
  readonly out: Sink
  readonly err: Sink
  /** Where the command was called. */
  readonly cwd: string
  readonly env: { readonly [name: string]: string | undefined }
  /** Aborts when the person, or the system, wants this to stop; its reason is an `Interruption`. */
  readonly interrupt: AbortSignal
  /** Where there is a person who can be asked: undefined unless both stdin and stderr are a terminal. */
  readonly terminal?: Terminal | undefined
  /** All of standard input, as text. */
  readStdin(): Promise<string>
  /** Ends the process soon, also when other code holds it. */
  endSoon?(): void
}

export interface Terminal {
  readonly input: Readable
  readonly output: Writable & { readonly columns?: number }
  /** Opens a page in the person's browser. Rejects when that cannot be. */
  openUrl(url: string): Promise<void>
}

export interface Sink {
  readonly isTerminal: boolean
  /** Undefined where lines have no end: a file or a pipe. */
  readonly columns: number | undefined
  /** Of a terminal, where it says. */
  readonly rows?: number
  /** Aborts when whoever reads it has left. */
  readonly left?: AbortSignal
  write(chunk: string | Uint8Array): void
}

/** Why `Io.interrupt` aborted. */
export class Interruption extends Error {
  override readonly name = 'Interruption'
  readonly exitCode: number

  constructor(signalName: string, signalNumber: number) {
    super(`interrupted by ${signalName}`)
    this.exitCode = 128 + signalNumber
  }
}
