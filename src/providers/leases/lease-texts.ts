import type { AcquireRefusal, Conflict, PinRefusal } from '../../../machines/index.ts'
import type { LeaseSnapshot, ReleaseOutcome } from './leasing.ts'
import { lockTools } from './lock-tools.ts'

/** What a model reads of a lock it got. */
export function grantedText(leases: readonly LeaseSnapshot[]): string {
  const ends = Math.min(...leases.map(({ expiresInMs }) => expiresInMs))
  return `Locked for ${seconds(ends)}: ${leases.map(({ path }) => path).join(', ')}. Read again what you are going to change, and call ${lockTools.release} as soon as you are done.`
}

/** Of one it did not get, and what it can do. */
export function notLockedText(refusal: AcquireRefusal, paths: readonly string[]): string {
  const why = acquireReason(refusal)
  if (refusal.reason !== 'hold-and-wait') return `Nothing was locked: ${why}`
  const everything = [...new Set([...refusal.holds, ...paths])]
  return `Nothing was locked: ${why} Call ${lockTools.release}, then ${lockTools.acquire} with everything you need at once: ${JSON.stringify({ paths: everything })}.`
}

export const withdrawnText = 'Nothing was locked: the wait was cancelled.'

export function releasedText({ released, notHeld }: ReleaseOutcome): string {
  const freed = released.length > 0 ? `Released: ${released.join(', ')}.` : 'Nothing was released.'
  const others =
    notHeld.length > 0
      ? ` You hold no lock on ${notHeld.join(', ')}; a lock is released by the path it was acquired with.`
      : ''
  return freed + others
}

/** Of a change that was not made for the locks there are, or are not. */
export function notChangedText(tool: string, refusal: PinRefusal): string {
  switch (refusal.reason) {
    case 'conflict':
      return `The call of ${tool} was not made: ${conflictText(refusal)} Work on something else, or call ${lockTools.acquire} with ${asked(refusal.asked)} to wait for it.`
    case 'uncovered':
      return `The call of ${tool} was not made: other agents are at work, and you hold no lock on ${refusal.path}. Call ${lockTools.acquire} with ${asked(refusal.path)}, and everything else you are going to change, then make the call again.`
    case 'unevaluable-path':
    case 'no-paths':
      return unclearText(tool)
  }
}

/** Of a change of nobody knows what, while others are at work. */
export function unclearText(tool: string): string {
  return `The call of ${tool} was not made: other agents are at work, and what it would change cannot be told. Name plain paths, without .. and ~, and lock them with ${lockTools.acquire} first.`
}

export const unclearWarning = 'What this call changed cannot be told, so no lock was looked for.'

function acquireReason(refusal: AcquireRefusal): string {
  switch (refusal.reason) {
    case 'conflict':
      return `${conflictText(refusal)} Work on something else and try again later.`
    case 'no-paths':
      return 'name at least one path.'
    case 'unevaluable-path':
      return `where ${JSON.stringify(refusal.path)} leads cannot be told. Name plain paths, without .. and ~.`
    case 'invalid-ttl':
      return '`ttl` must be a number of seconds above 0.'
    case 'hold-and-wait':
      return refusal.holds.length > 0
        ? `others hold ${refusal.waitsFor.join(', ')}, and whoever holds a lock (you hold ${refusal.holds.join(', ')}) may not wait for another.`
        : `you are waiting for ${refusal.waitsFor.join(', ')} already.`
    case 'drained':
      return 'no more locks are given here; finish, and tell the user.'
  }
}

function conflictText({ asked, by, leased, holder, heldForMs }: Conflict): string {
  const what = leased === asked ? asked : `${leased}, which overlaps ${asked}`
  return by === 'lease'
    ? `${holder} has held a lock on ${what} for ${seconds(heldForMs)}.`
    : `${holder} has been waiting for a lock on ${what} for ${seconds(heldForMs)}, and comes first.`
}

function asked(path: string): string {
  return JSON.stringify({ paths: [path] })
}

function seconds(ms: number): string {
  return `${Math.max(0, Math.round(ms / 1_000))} s`
}
