import { isReadable, type Word } from './effective-command.ts'

/** What an invocation of a shell runs. */
export type ShellInvocation =
  /** More than one where readers differ: all of them count. */
  | { readonly kind: 'payload'; readonly scripts: readonly Word[] }
  /** A file; what is in it is not ours to know. */
  | { readonly kind: 'file' }
  | { readonly kind: 'stdin' }
  | { readonly kind: 'unknown' }

const shells = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'mksh', 'ash', 'rbash', 'ksh93', 'lksh', 'yash'])

/** By folded name. */
export function isShell(program: string): boolean {
  return shells.has(program)
}

/** Other languages, which nothing here reads. */
export function isForeignShell(program: string): boolean {
  return /^(?:fish|csh|tcsh|nu|xonsh|elvish|rc|es|cmd|powershell|pwsh|command\.com)$/.test(program)
}

export function readShellInvocation(args: readonly Word[]): ShellInvocation {
  let isPayload = false
  let isStdin = false
  const glued: string[] = []
  for (let index = 0; index <= args.length; index += 1) {
    const word = args[index]
    if (word !== undefined && !isReadable(word)) return { kind: 'unknown' }
    const isOption = word !== undefined && /^[-+]/.test(word) && word !== '-' && word !== '--'
    if (!isOption) {
      const operands = args.slice(word === '-' || word === '--' ? index + 1 : index)
      if (isPayload) return payload(operands[0], glued)
      return isStdin || !operands.length ? { kind: 'stdin' } : { kind: 'file' }
    }
    if (word.startsWith('--')) {
      if (/^--(?:rcfile|init-file)$/.test(word)) return { kind: 'unknown' }
      continue
    }
    const [before = '', after] = word.slice(1).split(/c(.*)/s)
    const isCommand = after !== undefined && word.startsWith('-')
    // Their letters stand for words that follow, and so does the c: which is whose, shells do not agree.
    if (isCommand && /o/i.test(before)) return { kind: 'unknown' }
    isPayload ||= isCommand
    isStdin ||= before.includes('s')
    // `-ce` is two letters; `-cecho` is taken for a script by some, for five letters by others.
    if (isCommand && !/^[eluxvipfn]*$/.test(after)) glued.push(after)
    if (/[oO]$/.test(word) && !glued.length) index += 1
  }
  return { kind: 'unknown' }
}

function payload(operand: Word | undefined, glued: readonly string[]): ShellInvocation {
  if (operand === undefined && !glued.length) return { kind: 'unknown' }
  return { kind: 'payload', scripts: [...glued, ...(operand === undefined ? [] : [operand])] }
}
