import type { Answer } from '../answer.ts'
import type { Location } from './location.ts'

/**
 * Whether a location is a directory or anywhere below it, segment by segment. Unknown where one is absolute and the other is
 * not, and where only the letters' case or composition differs: that is one place on some disks and two on others.
 */
export function isUnder(location: Location | undefined, directory: Location): Answer {
  if (!location || location.isAbsolute !== directory.isAbsolute) return 'unknown'
  const { segments } = location
  if (segments.length < directory.segments.length) return 'no'
  let answer: Answer = 'yes'
  for (const [index, wanted] of directory.segments.entries()) {
    const segment = segments[index] ?? ''
    if (segment === wanted) continue
    if (beginOtherwise(segment, wanted) || folded(segment) !== folded(wanted)) return 'no'
    answer = 'unknown'
  }
  return answer
}

/** Most names that differ do so at once, and whatever folds an ASCII letter keeps it one. */
function beginOtherwise(one: string, other: string): boolean {
  const [a, b] = [one.charCodeAt(0), other.charCodeAt(0)]
  return a < 128 && b < 128 && (a | 32) !== (b | 32)
}

/** Without what some disks do not tell apart: case, composition, ligatures, and marks that nobody sees. */
export function folded(segment: string): string {
  if (isPlain.test(segment)) return segment.toLowerCase()
  return segment
    .normalize('NFKD')
    .replace(/\p{Cf}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .normalize('NFC')
}

const isPlain = /^[ -~]*$/
