import { posix, win32 } from 'node:path'
import { Refusal } from './refusal.ts'

/** The root by the names it is known by: as it was given, and as it really is. */
export type RootNames = readonly string[]

/** Takes an argument apart into the names below the root; none: the root itself. @throws Refusal for what leads, or might lead, elsewhere */
export function readPath(
  path: string,
  rootNames: RootNames,
  platform: NodeJS.Platform = process.platform,
): readonly string[] {
  if (path === '') throw new Refusal('the path is empty; the root is "."')
  if (path.includes('\0')) throw new Refusal('the path holds a NUL character')
  if (!path.isWellFormed()) throw new Refusal('the path is no valid Unicode')
  if (path.length > longestPath) throw new Refusal(`the path is longer than ${longestPath} characters`)
  const segments = segmentsBelow(path, rootNames, platform)
  if (!segments) throw new Refusal(`it is outside of the root, which is ${rootNames[0]}`)
  if (segments.includes('..')) throw new Refusal('write the path without ".."')
  if (segments.some((segment) => Buffer.byteLength(segment) > longestName))
    throw new Refusal(`a name in it is longer than ${longestName} bytes; choose a shorter one`)
  if (segments[0] === '~') throw new Refusal('"~" means nothing here; paths are relative to the root')
  if (platform === 'win32') {
    const odd = segments.find(isOddOnWindows)
    if (odd !== undefined) throw new Refusal(`Windows takes ${JSON.stringify(odd)} for something else`)
  }
  return segments
}

/** The names below the root, `..` among them; undefined when an absolute path is not below it. */
export function segmentsBelow(
  path: string,
  rootNames: RootNames,
  platform: NodeJS.Platform = process.platform,
): readonly string[] | undefined {
  const segments = split(path, platform)
  const { isAbsolute } = platform === 'win32' ? win32 : posix
  if (!isAbsolute(path)) return segments
  const root = rootNames
    .map((name) => split(name, platform))
    .find((names) => names.every((name, index) => isSame(name, segments[index], platform)))
  return root && segments.slice(root.length)
}

function split(path: string, platform: NodeJS.Platform): readonly string[] {
  const separator = platform === 'win32' ? /[\\/]/ : '/'
  return path.split(separator).filter((segment) => segment !== '' && segment !== '.')
}

function isSame(one: string, other: string | undefined, platform: NodeJS.Platform): boolean {
  return one === other || (platform === 'win32' && one.toLowerCase() === other?.toLowerCase())
}

/** Streams and drives (`a:b`), devices (`nul.txt`), and what is dropped at the end of a name. */
function isOddOnWindows(segment: string): boolean {
  return (
    /[:*?"<>|]|[. ]$/.test(segment) ||
    /^(con|prn|aux|nul|com\d|lpt\d|conin\$|conout\$)(\..*)?$/i.test(segment)
  )
}

const longestPath = 4_096
/** Of the usual file systems: looked at before directories above are made. */
const longestName = 255
