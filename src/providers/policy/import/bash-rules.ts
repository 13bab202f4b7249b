import { basename } from '../commands/program.ts'
import { atLeast, each, exactly, nothing, type Translation } from './translation.ts'

/** `git status`, `git *`, `git:*`, `npm run test:*`, `git*`; a program and the words it begins with. */
export function bashRules(specifier: string | undefined, tools: readonly string[]): Translation {
  const text = specifier?.trim().replace(/:\*$/, ' *')
  if (text === undefined || text === '' || text === '*') return exactly(each(tools))
  if (/[;&|<>()$`'"\\{}[\]?~#!\n]|^\w+=/.test(text)) return nothing('is more than a program and plain words')
  const words = text.split(/ +/)
  if (words[0] === '' || /[^\S ]/.test(text))
    return nothing('names no program, or has blanks that are none to a shell')
  const isOpen = words.at(-1) === '*'
  const wanted = isOpen ? words.slice(0, -1) : words
  const wild = wanted.findIndex((word) => word.includes('*'))
  if (wild >= 0) return withWildcard(wanted, wild, isOpen, tools)
  const rules = each(tools, commandOf(wanted))
  if (wanted[0]?.includes('/'))
    return atLeast(rules, 'names a folder, and programs are compared without theirs')
  if (!isOpen)
    return atLeast(rules, 'means these words and no more, and rules are about what arguments begin with')
  return exactly(rules)
}

function withWildcard(
  words: readonly string[],
  wild: number,
  isOpen: boolean,
  tools: readonly string[],
): Translation {
  const [program = ''] = words
  const isPrefix = wild === 0 && words.length === 1 && !isOpen && /^[^*/]+\*$/.test(program)
  if (isPrefix) return exactly(each(tools, { command: program }))
  if (wild === 0) return nothing('has a wildcard before its program is known')
  return atLeast(
    each(tools, commandOf(words.slice(0, wild))),
    'has a wildcard within, and rules are about whole words',
  )
}

function commandOf([program = '', ...args]: readonly string[]) {
  return { command: basename(program), ...(args.length > 0 && { args }) }
}
