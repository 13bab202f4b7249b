import { isReadable, type Word } from './effective-command.ts'

/**
 * Whether only the shell that runs it will know if a word is an option: unless it begins with what is there for certain, and is not
 * split into more words, as `"a$@"` is.
 */
export function couldBeOption(word: Word): boolean {
  return !isReadable(word) && !/^(?:~?[\w./][^$`]*|"[\w./ ][^"@]*")$/.test(word.source)
}
