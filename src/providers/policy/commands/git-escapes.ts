import { couldBeOption } from './could-be-option.ts'
import { isReadable, type Word } from './effective-command.ts'
import { type Escapes, escapes, escapesNothing, mayEscape } from './escapes.ts'
import { readGit } from './git-command.ts'
import { isLongOption } from './long-option.ts'

/** Settings that run, load and reroute nothing. */
const tameSetting =
  /^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|init\.defaultbranch|push\.default|pull\.(?:rebase|ff)|merge\.(?:ff|conflictstyle)|log\.\w+|core\.(?:quotepath|autocrlf|eol|filemode|ignorecase|longpaths|abbrev|precomposeunicode)|commit\.gpgsign|tag\.gpgsign|gc\.auto|protocol\.version)(?:=|$)/i

/** What runs nothing else unless an option says so. Any other word may be an alias, or another program. */
const own = new Set(
  `add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore check-mailmap check-ref-format
  checkout checkout-index cherry cherry-pick clean clone column commit commit-graph commit-tree config count-objects describe
  diagnose diff diff-files diff-index diff-tree difftool fast-export fast-import fetch fetch-pack fmt-merge-msg for-each-ref
  format-patch fsck gc get-tar-commit-id grep hash-object help index-pack init interpret-trailers log ls-files ls-remote
  ls-tree mailinfo mailsplit merge merge-base merge-file merge-tree mktag mktree multi-pack-index mv name-rev notes
  pack-objects pack-refs patch-id prune prune-packed pull push range-diff read-tree rebase reflog remote repack replace
  request-pull rerere reset restore rev-list rev-parse revert rm send-pack shortlog show show-branch show-index show-ref
  sparse-checkout stage stash status stripspace submodule switch symbolic-ref tag unpack-file unpack-objects update-index
  update-ref update-server-info var verify-commit verify-pack verify-tag version whatchanged worktree write-tree`.split(
    /\s+/,
  ),
)

/** What exists to run others. */
const runners =
  /^(?:filter-branch|for-each-repo|merge-index|remote-(?:ext|fd)|instaweb|web--browse|daemon|hook|shell|send-email|submodule--helper)$/

/** Of any subcommand; long options may be shortened. */
const runningOptions = [
  'upload-pack',
  'upload-archive',
  'receive-pack',
  'exec',
  'extcmd',
  'open-files-in-pager',
  'template',
  'filter',
]

const runningWords: { readonly [subcommand: string]: RegExp } = {
  grep: /^-[^-]*O/,
  'ls-remote': /^-u/,
  clone: /^-[^-]*[uc]|^--co/,
  'fetch-pack': /^-[^-]*u/,
  rebase: /^-[^-]*x/,
  difftool: /^-[^-]*x/,
  archive: /^--remote/,
  bisect: /^run$/,
  submodule: /^foreach$/,
  'interpret-trailers': /^--/,
}

/** What git runs or loads that is not git. */
export function gitEscapes(args: readonly Word[]): Escapes {
  const { globals, subcommand, rest } = readGit(args)
  if (globals.some((word, index) => reroutes(word, globals[index + 1]))) return escapes
  if (subcommand === undefined) return args.every(isReadable) ? escapesNothing : mayEscape
  if (runners.test(subcommand)) return escapes
  if (subcommand === 'config') return configEscapes(rest)
  const running = Object.hasOwn(runningWords, subcommand) ? runningWords[subcommand] : undefined
  if (rest.some((word) => isReadable(word) && runs(word, running))) return escapes
  const end = rest.indexOf('--')
  const mayRun = subcommand === 'bisect' || subcommand === 'submodule' ? isUnreadable : couldBeOption
  const isSure = own.has(subcommand) && !(end < 0 ? rest : rest.slice(0, end)).some(mayRun)
  return isSure ? escapesNothing : mayEscape
}

function reroutes(word: Word, next: Word | undefined): boolean {
  if (!isReadable(word)) return true
  if (word === '-c') return !(isReadable(next) && tameSetting.test(next))
  return /^(?:-c.|--config-env|--exec-path=|--exec-path$)/.test(word)
}

/** A setting stays behind for the next command to fall over. */
function configEscapes(rest: readonly Word[]): Escapes {
  const isReading =
    rest[0] === 'get' ||
    rest[0] === 'list' ||
    rest.some((word) => isReadable(word) && /^(?:--get(?:-all|-regexp|-urlmatch)?|--list|-l)$/.test(word))
  if (isReading) return escapesNothing
  const isHazard = (word: Word) =>
    isReadable(word) && /^[a-z][\w-]*\..+$/is.test(word) && !tameSetting.test(word)
  if (rest.some(isHazard)) return escapes
  return rest.every(isReadable) ? escapesNothing : mayEscape
}

function runs(word: string, running: RegExp | undefined): boolean {
  return isLongOption(word, runningOptions) || word.startsWith('ext::') || running?.test(word) === true
}

function isUnreadable(word: Word): boolean {
  return !isReadable(word)
}
