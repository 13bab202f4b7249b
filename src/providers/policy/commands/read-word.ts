import type { CommandArgument, WordPart } from 'unbash'
import type { Word } from './effective-command.ts'

/** What a word of a script will be, if that is certain before the shell runs it. */
export function readWord(word: CommandArgument): Word {
  const unreadable = { source: word.text }
  if (word.type === 'Assignment') {
    if (word.index || word.value.type !== 'Word') return unreadable
    const value = readWord(word.value)
    return typeof value === 'string' ? `${word.name}${word.append ? '+=' : '='}${value}` : unreadable
  }
  // A tilde is expanded after these; some shells look up the program after a leading `=`.
  if (/^[~=]|[=:]~/.test(word.text)) return unreadable
  return (word.parts ?? []).every(isFixed) ? word.value : unreadable
}

/** `$'…'` means other things to other shells. */
function isFixed(part: WordPart): boolean {
  if (part.type === 'DoubleQuoted') return part.parts.every(({ type }) => type === 'Literal')
  return part.type === 'Literal' || part.type === 'SingleQuoted'
}
