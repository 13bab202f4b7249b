import { isReadable, type Word } from './effective-command.ts'

/** The options a program takes before its operands. */
export interface OptionSyntax {
  /** Letters without a value. */
  readonly flags?: string
  /** Letters with a value, glued or in the next word. */
  readonly valued?: string
  readonly longFlags?: readonly string[]
  /** With a value after `=` or in the next word. */
  readonly longValued?: readonly string[]
  /** Other words that count as options, e.g. the `-10` of nice. */
  readonly also?: RegExp
}

/**
 * Where the operands begin. Undefined when an option is unknown, unreadable or without its value: then nobody can say which
 * word is which.
 */
export function skipOptions(words: readonly Word[], syntax: OptionSyntax): number | undefined {
  let index = 0
  for (;;) {
    const word = words[index]
    if (word === undefined) return index
    if (!isReadable(word)) return undefined
    if (word === '--') return index + 1
    if (syntax.also?.test(word)) index += 1
    else if (!word.startsWith('-') || word === '-') return index
    else {
      const taken = word.startsWith('--') ? longOption(word, syntax) : cluster(word, syntax)
      if (taken === undefined || index + taken > words.length) return undefined
      if (taken === 2 && !isReadable(words[index + 1])) return undefined
      index += taken
    }
  }
}

/** How many words it takes. */
function longOption(word: string, { longFlags = [], longValued = [] }: OptionSyntax): number | undefined {
  const [name = '', value] = word.slice(2).split(/=(.*)/s)
  if (longFlags.includes(name)) return value === undefined ? 1 : undefined
  if (longValued.includes(name)) return value === undefined ? 2 : 1
  return undefined
}

function cluster(word: string, { flags = '', valued = '' }: OptionSyntax): number | undefined {
  for (let at = 1; at < word.length; at += 1) {
    const letter = word.charAt(at)
    if (valued.includes(letter)) return at === word.length - 1 ? 2 : 1
    if (!flags.includes(letter)) return undefined
  }
  return 1
}
