import { isReadable, type Word } from './effective-command.ts'
import { type OptionSyntax, skipOptions } from './skip-options.ts'

/** What a command goes on to run besides itself: words of a command, or something nobody can tell. */
export type Launched = readonly Word[] | 'unknown'

const superuser: OptionSyntax = {
  // Without those that start it elsewhere.
  flags: 'AbEHknPSn',
  valued: 'ugCTUhpr',
  longFlags: ['non-interactive', 'preserve-env', 'set-home', 'stdin', 'background'],
  longValued: ['user', 'group', 'prompt'],
  also: /^[A-Za-z_]\w*=/,
}

/** Programs that exist to run others; a permission for one is a permission to do that. */
const launchers: { readonly [program: string]: OptionSyntax } = {
  sudo: superuser,
  doas: { flags: 'nLs', valued: 'uaC' },
  xargs: {
    flags: '0oprtx',
    valued: 'adEIJLnPRsS',
    longFlags: ['null', 'interactive', 'no-run-if-empty', 'verbose', 'exit', 'open-tty'],
    longValued: ['arg-file', 'delimiter', 'max-lines', 'max-args', 'max-procs', 'max-chars', 'replace'],
    also: /^-i|^--replace$/,
  },
  pkexec: { longValued: ['user'], longFlags: ['disable-internal-agent'] },
  fakeroot: {},
  caffeinate: { flags: 'disum', valued: 'tw' },
  proxychains: { flags: 'q', valued: 'f' },
  proxychains4: { flags: 'q', valued: 'f' },
  torsocks: {},
  unbuffer: { flags: 'p' },
}

/** Those whose own arguments are too many to tell where the command begins, or that run it elsewhere. */
const opaque =
  /^(?:run0|su|runuser|watch|parallel|chroot|unshare|nsenter|setpriv|taskset|chrt|strace|ltrace|flock|script|systemd-run|setarch|linux32|linux64|i386|x86_64|arch|prlimit|rlwrap|numactl|chpst|envdir|setuidgid|dbus-launch|dbus-run-session|xvfb-run|start-stop-daemon|proot|firejail|bwrap|faketime|cpulimit|ssh|ssh-agent|sg|runcon|systemd-nspawn|perf|npx|bunx|uvx|pipx|at|batch|entr|gdb|valgrind|source|\.)$/

/** Undefined when `program` (folded) is no launcher. */
export function launched(program: string, args: readonly Word[]): Launched | undefined {
  if (opaque.test(program)) return 'unknown'
  const syntax = Object.hasOwn(launchers, program) ? launchers[program] : undefined
  if (!syntax) return undefined
  const start = skipOptions(args, syntax)
  if (start === undefined) return 'unknown'
  const words = args.slice(start)
  return program === 'xargs' ? fedFromInput(args.slice(0, start), words) : words
}

/** xargs puts words of its input behind the given ones, or in their place. */
function fedFromInput(options: readonly Word[], words: readonly Word[]): Launched {
  if (words.length === 0) return []
  const replaces = options.some((word) => isReadable(word) && /^-[^-]*[IiJ]|^--replace/.test(word))
  const input = { source: '(input of xargs)' }
  if (!replaces) return [...words, input]
  return words.map((word, index) =>
    index === 0 && isReadable(word) && /^[\w./+-]+$/.test(word) ? word : input,
  )
}
