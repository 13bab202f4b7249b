/** A path taken apart: comparable segment by segment. */
export interface Location {
  readonly isAbsolute: boolean
  readonly segments: readonly string[]
}

/**
 * Reads a path without touching a disk. Undefined when nobody can say for certain where it leads: what a server may expand
 * (`~`), climb out of (`..`), decode (`%2e`, a URL), trim (blanks and quotes around it), or end early (NUL and other controls), a
 * backslash, which is a separator on some machines only, and the short names (`SECRET~1`) of others.
 */
export function readLocation(path: unknown): Location | undefined {
  if (typeof path !== 'string' || path === '') return undefined
  if (!isPlain.test(path) && uncertain.test(path)) return undefined
  const segments = path.split('/').filter((segment) => segment !== '' && segment !== '.')
  return segments.some(climbs) ? undefined : { isAbsolute: path.startsWith('/'), segments }
}

/** Most paths are, and one look is enough. */
const isPlain = /^[\w./-]+$/
const uncertain =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
  /[\\\u0000-\u001f\u007f-\u009f]|^[~\s"'`]|[\s"'`]$|^[a-z][a-z0-9+.-]*:|%[0-9a-f]{2}|~\d/i

/** Whether `readLocation` can read it. */
export function isEvaluable(path: unknown): path is string {
  return readLocation(path) !== undefined
}

/** Where `path` is, seen from `root`. */
export function resolve(root: Location | undefined, path: Location): Location {
  if (path.isAbsolute || !root) return path
  return { isAbsolute: root.isAbsolute, segments: [...root.segments, ...path.segments] }
}

export function toText({ isAbsolute, segments }: Location): string {
  return `${isAbsolute ? '/' : ''}${segments.join('/')}` || '.'
}

/** Also spellings that a file system or a server may fold into the real thing; trailing blanks and dots are dropped on Windows. */
function climbs(segment: string): boolean {
  if (isPlain.test(segment)) return /^\.\.+$/.test(segment)
  const plain = segment.normalize('NFKC').replace(/\p{Cf}/gu, '')
  return /^\.\.+\s*$/.test(plain) || (plain !== segment && /^\.+$|[/\\]/.test(plain))
}
