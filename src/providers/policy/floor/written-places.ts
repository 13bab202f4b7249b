import { type EffectiveCommand, isReadable, type Word } from '../commands/effective-command.ts'
import { foldedName } from '../commands/program.ts'
import { textOf } from './place.ts'

const writers =
  /^(?:tee|cp|mv|install|ln|dd|rsync|scp|touch|truncate|mkdir|mkfifo|rm|rmdir|unlink|shred|chmod|chown|chgrp|chattr|setfacl|patch|tar|bsdtar|unzip|7z|cpio|curl|wget|aria2c|split|csplit|ed|ex|vi|vim|nvim|nano|emacs|sponge|cd|pushd)$/

/** The words that may name a place a command writes to: by redirection, as an argument of what writes, or after `=`. */
export function writtenPlaces({ program, args, writes }: EffectiveCommand): readonly Word[] {
  const isWriter = isReadable(program) && writesByArgument(foldedName(program), args)
  return [...writes, ...args.flatMap((word) => [...(isWriter ? asArgument(word) : []), ...afterEquals(word)])]
}

function writesByArgument(name: string, args: readonly Word[]): boolean {
  const editsInPlace =
    /^(?:g?sed|perl|ruby)$/.test(name) && args.some((word) => /^-[^-]*i|^--in/.test(textOf(word)))
  return editsInPlace || writers.test(name)
}

/** Short options may have their value glued on. */
function asArgument(word: Word): readonly Word[] {
  const glued = /^-\w(.+)$/s.exec(textOf(word))?.[1]
  return glued === undefined ? [word] : [word, isReadable(word) ? glued : { source: glued }]
}

function afterEquals(word: Word): readonly Word[] {
  const value = /^[^=]*=(.*)$/s.exec(textOf(word))?.[1]
  return value === undefined ? [] : [isReadable(word) ? value : { source: value }]
}
