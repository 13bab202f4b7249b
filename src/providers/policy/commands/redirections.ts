import type { HereDoc, Redirect, Redirection } from 'unbash'
import { isReadable, type Word } from './effective-command.ts'
import { readWord } from './read-word.ts'

export interface Redirected {
  readonly writes: readonly Word[]
  /** What is fed to the command, where it is redirected. */
  readonly stdin?: Word
}

export function readRedirections(redirections: readonly Redirection[]): Redirected {
  const writes: Word[] = []
  let stdin: Word | undefined
  for (const redirection of redirections) {
    const target = targetOf(redirection)
    if (redirection.type === 'Redirect' && writesTo(redirection, target)) writes.push(target)
    if (isInput(redirection)) stdin = redirection.type === 'Redirect' ? { source: '(a file)' } : target
  }
  return { writes, ...(stdin !== undefined && { stdin }) }
}

function targetOf(redirection: Redirection): Word {
  if (redirection.type === 'HereDoc') return hereDocument(redirection)
  return redirection.target ? readWord(redirection.target) : { source: redirection.operator }
}

/** `3<<E` feeds something else than the standard input, and `0>&3` feeds that. */
function isInput({ operator, descriptor }: Redirection): boolean {
  if (!descriptor) return operator.startsWith('<')
  return descriptor.type === 'FileDescriptor' && descriptor.value === 0
}

function hereDocument({ operator, delimiter, body }: HereDoc): Word {
  const text = operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
  return delimiter?.quoted || !/[$`\\]/.test(text) ? text : { source: text }
}

/** A connection of bash's own is a write, whichever way it is opened. */
function writesTo({ operator }: Redirect, target: Word): boolean {
  if (isReadable(target)) {
    if (/^\/+dev\/+(?:tcp|udp)(?:\/|$)/.test(target)) return true
    if (target === '/dev/null') return false
    if (operator.endsWith('&')) return operator === '>&' && !/^(?:\d+-?|-)$/.test(target)
  }
  return operator !== '<' && operator !== '<&'
}
