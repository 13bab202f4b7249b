import type { Word } from './effective-command.ts'
import { escapesByOption } from './escape-options.ts'
import { type Escapes, escapesNothing } from './escapes.ts'
import { findEscapes } from './find-escapes.ts'
import { gitEscapes } from './git-escapes.ts'
import { sedEscapes } from './sed-escapes.ts'

/** A permission for the program does not cover what it runs so. `program` is folded. */
export function escapesOf(program: string, args: readonly Word[]): Escapes {
  // As GNU's are named beside those of a BSD.
  const name = program.replace(/^g(?=(?:sed|find|tar|sort|split|make)$)/, '')
  switch (name) {
    case 'git':
      return gitEscapes(args)
    case 'find':
      return findEscapes(args)
    case 'sed':
      return sedEscapes(args)
    default:
      return escapesByOption(name, args) ?? escapesNothing
  }
}
