import { isReadable, type Word } from './effective-command.ts'
import { leavesGit } from './git-escapes.ts'
import type { Launched } from './launchers.ts'

/** Arguments by which a program that is no launcher runs another. Long options may be shortened. */
const escapes: { readonly [program: string]: RegExp } = {
  sort: /^--compress-p/,
  rg: /^--(?:pre$|pre=|hostname-bin)/,
  ag: /^--pager/,
  ack: /^--pager/,
  bat: /^--pager/,
  man: /^-[^-]*[PH]|^--(?:pager|html|browser)/,
  tar: /^-[^-]*[IF]|^--(?:to-c|checkpoint-a|use-c|rsh|rmt|info-s|new-volume-s)/,
  bsdtar: /^--use-c/,
  rsync: /^-[^-]*[eM]|^--(?:rsh|rsync-path|remote-option)/,
  scp: /^-[^-]*[SoF]/,
  sftp: /^-[^-]*[SoFD]/,
  zip: /^-TT|^--unzip-c/,
  wget: /^--(?:use-askpass|config|execute)|^-[^-]*e/,
  curl: /^-[^-]*K|^--config/,
  fd: /^-[^-]*[xX]|^--exec/,
  fdfind: /^-[^-]*[xX]|^--exec/,
  sed: /(?:^|[;{}\d$/!\s])e(?:\s|$)|\/[gpiImMw0-9]*e[gpiImMw0-9]*\s*(?:;|}|$)/,
  split: /^--filter/,
  less: /^\+|^-[^-]*k|^--lesskey/,
  ip: /^(?:exec|-b|-batch)$/,
  history: /^-[anrw]/,
  hash: /^-[^-]*p/,
  enable: /^-[^-]*f/,
  mapfile: /^-[^-]*C/,
  readarray: /^-[^-]*C/,
  complete: /^-[^-]*[CF]/,
  compgen: /^-[^-]*[CFW]/,
  bind: /^-[^-]*[xf]/,
  alias: /=/,
}

/** `certain`: what it runs. `possible`: an argument that cannot be read may make it run something. */
export interface Escapes {
  readonly certain: readonly Launched[]
  readonly possible: boolean
}

const none: Escapes = { certain: [], possible: false }

/**
 * What a program runs besides itself although it is no launcher: a permission for the program does not cover that.
 * `program` is folded.
 */
export function escapesOf(program: string, args: readonly Word[]): Escapes {
  if (program === 'git')
    return { certain: leavesGit(args) ? ['unknown'] : [], possible: options(args).some(couldBeOption) }
  if (program === 'find') return { certain: executedByFind(args), possible: args.some(couldBeOption) }
  const pattern = Object.hasOwn(escapes, program) ? escapes[program] : undefined
  if (!pattern) return none
  const leaves = args.some((word) => isReadable(word) && pattern.test(word))
  return { certain: leaves ? ['unknown'] : [], possible: args.some(couldBeOption) }
}

/** More than anybody writes. */
const mostExecuted = 20

/** `-exec` and its like run a command; each ends at `;` or `+`. */
function executedByFind(args: readonly Word[]): readonly Launched[] {
  const commands: Launched[] = []
  for (const [index, word] of args.entries()) {
    if (!isReadable(word) || !/^-(?:exec|execdir|ok|okdir)$/.test(word)) continue
    if (commands.length === mostExecuted) return [...commands, 'unknown']
    const rest = args.slice(index + 1)
    const end = rest.findIndex((word) => word === ';' || word === '+')
    const command = end < 0 ? rest : rest.slice(0, end)
    commands.push(command.map((word) => (isReadable(word) && word.includes('{}') ? { source: word } : word)))
  }
  return commands
}

function options(args: readonly Word[]): readonly Word[] {
  const end = args.indexOf('--')
  return end < 0 ? args : args.slice(0, end)
}

/** Unless it begins with what is there for certain, and is not split into more words. */
function couldBeOption(word: Word): boolean {
  return !isReadable(word) && !/^(?:~?[\w./][^$`]*|"[\w./ ][^"]*")$/.test(word.source)
}
