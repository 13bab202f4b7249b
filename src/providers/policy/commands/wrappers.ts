import { isReadable, type Word } from './effective-command.ts'
import { isHazardousName } from './hazardous-names.ts'
import { type OptionSyntax, skipOptions } from './skip-options.ts'

interface Wrapper extends OptionSyntax {
  /** Operands before the command, e.g. the duration of timeout. */
  readonly operands?: number
  /** NAME=value words before the command. */
  readonly assigns?: boolean
}

/** What runs another command unchanged. */
const wrappers: { readonly [program: string]: Wrapper } = {
  env: {
    flags: 'i0v',
    valued: 'u',
    longFlags: ['ignore-environment', 'null', 'debug'],
    longValued: ['unset'],
    also: /^-$|^--(?:block|default|ignore)-signal(?:=|$)/,
    assigns: true,
  },
  timeout: {
    flags: 'fpv',
    valued: 'ks',
    longFlags: ['foreground', 'preserve-status', 'verbose'],
    longValued: ['kill-after', 'signal'],
    operands: 1,
  },
  time: {
    flags: 'pvaqhl',
    valued: 'f',
    longFlags: ['portability', 'verbose', 'quiet'],
    longValued: ['format'],
  },
  nice: { valued: 'n', longValued: ['adjustment'], also: /^--?\d+$/ },
  nohup: {},
  stdbuf: { valued: 'ioe', longValued: ['input', 'output', 'error'] },
  ionice: { flags: 't', valued: 'cn', longFlags: ['ignore'], longValued: ['class', 'classdata'] },
  setsid: { flags: 'cfw', longFlags: ['ctty', 'fork', 'wait'] },
  exec: { flags: 'cl', valued: 'a' },
  command: { flags: 'p' },
  builtin: {},
  coproc: {},
  busybox: {},
  toybox: {},
  noglob: {},
  nocorrect: {},
  repeat: { operands: 1 },
}

/** The words of the shell that guard a command. */
const keywords = /^(?:[-!{]|if|then|else|elif|while|until|do)$/

/** The words of what a wrapper runs; `unknown` when that cannot be told. */
export type Unwrapped = readonly Word[] | 'unknown'

/** What `program` (folded) runs, empty when that is nothing; undefined when it is no wrapper. */
export function unwrap(program: string, args: readonly Word[]): Unwrapped | undefined {
  if (keywords.test(program)) return args
  const wrapper = Object.hasOwn(wrappers, program) ? wrappers[program] : undefined
  if (!wrapper || (program === 'command' && onlyLooksUp(args))) return undefined
  const start = skipOptions(args, wrapper)
  if (start === undefined) return 'unknown'
  const operands = args.slice(start, start + (wrapper.operands ?? 0))
  if (!operands.every(isReadable)) return 'unknown'
  return wrapper.assigns ? skipAssignments(args.slice(start)) : args.slice(start + operands.length)
}

/** `command -v name` runs nothing. */
function onlyLooksUp([first]: readonly Word[]): boolean {
  return isReadable(first) && /^-p*[vV]/.test(first)
}

function skipAssignments(words: readonly Word[]): Unwrapped {
  for (const [index, word] of words.entries()) {
    if (!isReadable(word)) return 'unknown'
    const [name, value] = word.split(/=(.*)/s)
    if (value === undefined) return words.slice(index)
    if (isHazardousName(name ?? '')) return 'unknown'
  }
  return []
}
