/** A word whose value only the shell that runs it will know: an expansion, a glob, a tilde. `source` is how it was written. */
export interface Unreadable {
  readonly source: string
}

export type Word = string | Unreadable

/** One command that a call runs, whatever it was wrapped in. */
export interface EffectiveCommand {
  readonly program: Word
  /** Those after the first unreadable one may be any number of any words. */
  readonly args: readonly Word[]
  /** The files its output is redirected to. */
  readonly writes: readonly Word[]
  /**
   * `run`: what a permission must cover. `passing`: a wrapper or a shell that only hands over to others of the list, or what a
   * launcher like sudo goes on to run: there to be denied or asked about. `possible`: what an argument that cannot be read might
   * make a program run: it keeps a permission from covering the call, no more.
   */
  readonly role: 'run' | 'passing' | 'possible'
}

export function isReadable(word: Word | undefined): word is string {
  return typeof word === 'string'
}

/** What may be any command at all. `source` shows what could not be read. */
export function unknownCommand(source: string, role: EffectiveCommand['role'] = 'run'): EffectiveCommand {
  return { program: { source }, args: [{ source }], writes: [], role }
}
