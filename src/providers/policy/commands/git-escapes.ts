import { isReadable, type Word } from './effective-command.ts'
import { readGit } from './git-command.ts'

/** Settings that run, load and reroute nothing. */
const tameSetting =
  /^(?:user\.(?:name|email)|color\.[\w.]+|advice\.\w+|init\.defaultbranch|push\.default|pull\.(?:rebase|ff)|merge\.(?:ff|conflictstyle)|log\.\w+|core\.(?:quotepath|autocrlf|eol|filemode|ignorecase|longpaths|abbrev|precomposeunicode)|commit\.gpgsign|tag\.gpgsign|gc\.auto|protocol\.version)(?:=|$)/i

/** Long options may be shortened. */
const runsPrograms =
  /^--(?:upload-pa|receive-pa|exec|extc|open-files|upload-a|gpg-p|smtp-server|sendmail-cmd|to-cmd|cc-cmd|template|filter=)|^ext::/

const shortOptions: { readonly [subcommand: string]: RegExp } = {
  grep: /^-[^-]*O/,
  'ls-remote': /^-u/,
  clone: /^-[^-]*[uc]/,
  'fetch-pack': /^-[^-]*u/,
  rebase: /^-[^-]*x/,
  difftool: /^-[^-]*x/,
  archive: /^--remote/,
  bisect: /^run$/,
  submodule: /^foreach$/,
  'for-each-repo': /^/,
  'filter-branch': /^/,
  'interpret-trailers': /^--/,
}

/** Whether git is told to run, or to load, what is not git. */
export function leavesGit(args: readonly Word[]): boolean {
  const { globals, subcommand = '', rest } = readGit(args)
  if (globals.some((word, index) => reroutes(word, globals[index + 1]))) return true
  const short = Object.hasOwn(shortOptions, subcommand) ? shortOptions[subcommand] : undefined
  if (subcommand === 'config') return setsHazard(rest)
  return rest.some((word) => isReadable(word) && (runsPrograms.test(word) || short?.test(word) === true))
}

function reroutes(word: Word, next: Word | undefined): boolean {
  if (!isReadable(word)) return true
  if (word === '-c') return !(isReadable(next) && tameSetting.test(next))
  return /^(?:-c.|--config-env|--exec-path=|--exec-path$)/.test(word)
}

/** A setting stays behind for the next command to fall over. */
function setsHazard(rest: readonly Word[]): boolean {
  const keys = rest.filter((word) => isReadable(word) && /^[a-z][\w-]*\.\S+$/i.test(word))
  const isReading = rest.some((word) => isReadable(word) && /^(?:--get|--list$|-l$|get$|list$)/.test(word))
  return !isReading && keys.some((key) => isReadable(key) && !tameSetting.test(key))
}
