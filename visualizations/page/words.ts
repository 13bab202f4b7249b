import type { Phase } from '../../src/inspector/frames.ts'

export const phaseWords: { readonly [phase in Phase]: string } = {
  stopped: 'stopped',
  starting: 'starting',
  up: 'up',
  inputRequired: 'waiting for input',
  backingOff: 'backing off',
  exhausted: 'exhausted',
  stopping: 'stopping',
  failed: 'failed',
}

/** `12:04:31.208`, in the viewer's own time zone. */
export function clockTime(atMs: number): string {
  const date = new Date(atMs)
  const two = (value: number) => String(value).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${String(date.getMilliseconds()).padStart(3, '0')}`
}

/** `3 s`, `4 min`, `2 h`. */
export function ago(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1_000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.round(seconds / 60)
  return minutes < 60 ? `${minutes} min` : `${Math.round(minutes / 60)} h`
}

export function sizeText(characters: number): string {
  if (characters < 1_000) return `${characters} B`
  return characters < 1_000_000
    ? `${(characters / 1_000).toFixed(1)} kB`
    : `${(characters / 1_000_000).toFixed(1)} MB`
}

/** The innermost states: `modern › ready`. */
export function stateText(ids: readonly string[]): string {
  const innermost = ids.filter((id) => !ids.some((other) => other.startsWith(`${id}.`)))
  return innermost.map((id) => id.split('.').slice(1).join(' › ') || id).join(', ')
}
