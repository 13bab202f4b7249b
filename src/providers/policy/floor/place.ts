import { isReadable, type Word } from '../commands/effective-command.ts'

/** Absolute and folded segments; undefined where only the shell will know. Unlike a rule's location, it climbs: `/x/..` is `/`. */
export function placeOf(word: Word, home: string): readonly string[] | undefined {
  const text = isReadable(word) ? word : unquoted(word.source)
  const expanded = text.replace(/^(?:~(?=\/|$)|\$HOME\b|\$\{HOME\})/, () => home)
  return expanded.startsWith('/') && !/[$`*?[\]{}]/.test(expanded) ? absolute(expanded) : undefined
}

export function absolute(path: string): readonly string[] {
  const segments: string[] = []
  for (const segment of path.normalize('NFC').toLowerCase().split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return segments
}

export function isWithin(place: readonly string[], directory: readonly string[]): boolean {
  return directory.every((segment, index) => place[index] === segment)
}

export function textOf(word: Word): string {
  return isReadable(word) ? word : word.source
}

/** As the shell would leave it, but for what it expands. */
export function unquoted(source: string): string {
  return source.replace(/["']|\\(?=.)/g, '')
}
