import { couldBeOption } from './could-be-option.ts'
import { isReadable, type Word } from './effective-command.ts'
import type { Escapes } from './escapes.ts'
import { isLongOption } from './long-option.ts'

/** Arguments by which a program that is no launcher runs another. */
interface Ways {
  /** Options of one letter, also clustered. */
  readonly letters?: string
  readonly long?: readonly string[]
  readonly word?: RegExp
  /** The first word that is no option. */
  readonly first?: RegExp
  /** A word in which only the program itself can tell. */
  readonly doubt?: RegExp
}

const vim: Ways = { word: /^[+-]/ }
const awk: Ways = {
  long: ['file', 'exec', 'include', 'load'],
  word: /^-[fEil]|\bsystem\s*\(|\|&?\s*(?:"|getline)|@load/,
  doubt: /^(?!-F).*[|>@]/s,
}
const packages: Ways = {
  letters: 'C',
  long: ['script-shell', 'prefix', 'node-options', 'userconfig', 'globalconfig', 'cwd', 'dir'],
  first: /^(?:exec|x|dlx|explore)$/,
}

const ways: { readonly [program: string]: Ways } = {
  sort: { long: ['compress-program'] },
  rg: { long: ['pre', 'hostname-bin'] },
  ag: { long: ['pager'] },
  ack: { long: ['pager'] },
  bat: { long: ['pager'] },
  man: { letters: 'PHC', long: ['pager', 'html', 'browser', 'config-file'] },
  tar: {
    letters: 'IF',
    long: [
      'to-command',
      'checkpoint-action',
      'use-compress-program',
      'rsh-command',
      'rmt-command',
      'info-script',
      'new-volume-script',
    ],
    // Letters may stand without their dash.
    first: /^[A-Za-z]*[IF]/,
  },
  bsdtar: { long: ['use-compress-program'] },
  rsync: { letters: 'eM', long: ['rsh', 'rsync-path', 'remote-option'] },
  scp: { letters: 'SoF' },
  sftp: { letters: 'SoFD' },
  zip: { long: ['unzip-command'], word: /^-[^-]*TT/ },
  wget: { letters: 'e', long: ['use-askpass', 'config', 'execute'] },
  curl: { letters: 'K', long: ['config'] },
  fd: { letters: 'xX', long: ['exec', 'exec-batch'] },
  fdfind: { letters: 'xX', long: ['exec', 'exec-batch'] },
  split: { long: ['filter'] },
  tcpdump: { letters: 'z' },
  less: { letters: 'k', long: ['lesskey-file', 'lesskey-src', 'lesskey-content'], word: /^\+/ },
  ip: { word: /^-b(?:atch)?$/, first: /^exec$|^netns$/ },
  awk,
  gawk: awk,
  mawk: awk,
  nawk: awk,
  vi: vim,
  vim,
  nvim: vim,
  view: vim,
  ex: vim,
  npm: packages,
  pnpm: packages,
  yarn: packages,
  bun: packages,
  make: { letters: 'fCI', long: ['file', 'makefile', 'directory', 'include-dir', 'eval'], doubt: /=/ },
  cargo: { long: ['config', 'manifest-path'] },
  go: { word: /^--?(?:exec|toolexec|vettool|overlay|modfile)(?:=|$)/ },
  history: { letters: 'anrw' },
  hash: { letters: 'p' },
  enable: { letters: 'f' },
  mapfile: { letters: 'C' },
  readarray: { letters: 'C' },
  complete: { letters: 'CF' },
  compgen: { letters: 'CFW' },
  bind: { letters: 'xf' },
  alias: { word: /=/ },
}

/** Undefined: `program` is known to have none. */
export function escapesByOption(program: string, args: readonly Word[]): Escapes | undefined {
  const way = Object.hasOwn(ways, program) ? ways[program] : undefined
  if (!way) return undefined
  const { letters = '', long = [], first, doubt } = way
  const operand = args.find((word) => !isReadable(word) || !word.startsWith('-'))
  const leaves = (word: Word) =>
    isReadable(word) &&
    (hasLetter(word, letters) ||
      isLongOption(word, long) ||
      way.word?.test(word) ||
      (word === operand && first?.test(word)))
  const mayLeave = (word: Word) =>
    isReadable(word) ? doubt?.test(word) : doubt || (first && word === operand) || couldBeOption(word)
  return { certain: args.some(leaves) ? ['unknown'] : [], possible: args.some(mayLeave) }
}

function hasLetter(word: string, letters: string): boolean {
  const cluster = /^-([^-]+)/.exec(word)?.[1] ?? ''
  return [...letters].some((letter) => cluster.includes(letter))
}
