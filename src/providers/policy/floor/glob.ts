import { isReadable, type Word } from '../commands/effective-command.ts'
import { unquoted } from './place.ts'

/** The folded segments of a word that the shell compares with the names there are; undefined for any other. */
export function globOf(word: Word, home: string): readonly string[] | undefined {
  if (isReadable(word) || /[$`]/.test(word.source)) return undefined
  const text = unquoted(word.source).replace(/^~(?=\/|$)/, () => home)
  const segments = text.toLowerCase().split('/')
  return segments.filter((segment, index) => (segment !== '' && segment !== '.') || index === 0)
}

/** Whether a pattern of a shell may mean a name; lists and sets in it may be anything. */
export function mayMean(pattern: string, name: string): boolean {
  // A leading dot is meant by a dot alone.
  if (name.startsWith('.') && /^[*?]/.test(pattern)) return false
  const tokens = pattern.replace(/\{[^}]*\}|\[[^\]]*\]|[@?*+!]\([^)]*\)/g, '*')
  let [at, inName, star, retry] = [0, 0, -1, 0]
  while (inName < name.length) {
    if (tokens[at] === '*') {
      star = at++
      retry = inName
    } else if (tokens[at] === '?' || tokens[at] === name[inName]) {
      at += 1
      inName += 1
    } else if (star >= 0) {
      at = star + 1
      inName = ++retry
    } else return false
  }
  return /^\**$/.test(tokens.slice(at))
}
