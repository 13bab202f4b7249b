import { couldBeOption } from './could-be-option.ts'
import { isReadable, type Word } from './effective-command.ts'
import type { Escapes } from './escapes.ts'
import type { Launched } from './launchers.ts'

/** More than anybody writes. */
const mostExecuted = 20

/** `-exec` and its like run a command; each ends at `;` or `+`. */
export function findEscapes(args: readonly Word[]): Escapes {
  const certain: Launched[] = []
  for (const [index, word] of args.entries()) {
    if (!isReadable(word) || !/^-(?:exec|execdir|ok|okdir)$/.test(word)) continue
    if (certain.length === mostExecuted) {
      certain.push('unknown')
      break
    }
    const rest = args.slice(index + 1)
    const end = rest.findIndex((word) => word === ';' || word === '+')
    const command = end < 0 ? rest : rest.slice(0, end)
    certain.push(command.map((word) => (isReadable(word) && word.includes('{}') ? { source: word } : word)))
  }
  return { certain, possible: args.some(couldBeOption) }
}

/** Whether what it runs starts in other directories. */
export function runsElsewhere(args: readonly Word[]): boolean {
  return args.includes('-execdir') || args.includes('-okdir')
}
