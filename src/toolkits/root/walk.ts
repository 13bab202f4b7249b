import { lstatSync, mkdirSync, readlinkSync, type Stats } from 'node:fs'
import type { Directory } from './directory.ts'
import { hasCode, Refusal } from './refusal.ts'

/** Where a path led, its directory held open. */
export interface Place {
  readonly directory: Directory
  /** In that directory; undefined: it is that directory itself, most often the root. */
  readonly name: string | undefined
  /** Of what is called so; undefined when nothing is. */
  readonly stats: Stats | undefined
}

export interface WalkOptions {
  /** Whether a symlink at the end is followed; those on the way are. */
  readonly follows: boolean
  /**
   * What becomes of a directory on the way that is missing: it is refused, made if the path itself names it and no symlink, or the answer
   * is that nothing is there. Default refused.
   */
  readonly missing?: 'refuse' | 'make' | 'accept'
}

interface Start {
  /** Opens the root. */
  readonly open: () => Directory
  /** The names below the root that a symlink's target consists of; undefined when it leads elsewhere. */
  readonly readLink: (target: string) => readonly string[] | undefined
  readonly isAbsolute: (target: string) => boolean
}

/**
 * Goes from the root to a place, one name after the other, each looked up in the directory that the one before it led to. Symlinks are
 * read and walked likewise, so none leads out. The caller closes the directory. @throws Refusal
 */
export function walk(start: Start, path: readonly string[], options: WalkOptions): Place {
  let pending = path
  // No symlink among these: `..` takes the last of them away.
  let done: readonly string[] = []
  let directory = start.open()
  // How many of the last ones are the path's own, and no symlink's.
  let own = path.length
  const goTo = (next: Directory): void => {
    directory.close()
    directory = next
  }
  const beginAgain = (segments: readonly string[]): void => {
    goTo(start.open())
    done = []
    pending = segments
  }
  try {
    // Symlinks can name thousands of directories each, and themselves among them.
    for (let turns = 0; turns < mostTurns && pending.length <= mostTurns; turns += 1) {
      const [name, ...rest] = pending
      if (name === undefined) return { directory, name, stats: undefined }
      const isLast = rest.length === 0
      const isOwn = pending.length <= own
      const next = isLast || name === '..' ? undefined : directory.enter(name)
      if (next) {
        goTo(next)
        done = [...done, name]
        pending = rest
        own = Math.min(own, rest.length)
        continue
      }
      if (name === '..') {
        if (done.length === 0) throw new Refusal(leadsOut)
        beginAgain([...done.slice(0, -1), ...rest])
        continue
      }
      const stats = statsOf(directory, name)
      if (stats?.isSymbolicLink() && (options.follows || !isLast)) {
        const target = targetOf(directory, name)
        if (target === undefined) continue
        const segments = start.readLink(target)
        if (!segments) throw new Refusal(leadsOut)
        own = Math.min(own, rest.length)
        if (start.isAbsolute(target)) beginAgain([...segments, ...rest])
        else pending = [...segments, ...rest]
        continue
      }
      if (isLast || (!stats && options.missing === 'accept')) return { directory, name, stats }
      if (!stats && options.missing === 'make' && isOwn) {
        make(directory, name)
        continue
      }
      const way = JSON.stringify([...done, name].join('/'))
      if (!stats) throw new Refusal(`there is no directory ${way}; make it with mkdir`)
      if (!stats.isDirectory()) throw new Refusal(`${way} is not a directory`)
    }
    throw new Refusal('it leads through too many directories or symlinks')
  } catch (error) {
    directory.close()
    throw error
  }
}

/** Undefined when nothing is called so. */
function statsOf(directory: Directory, name: string): Stats | undefined {
  try {
    return lstatSync(directory.entry(name))
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Undefined when it is no symlink any more. */
function targetOf(directory: Directory, name: string): string | undefined {
  try {
    return readlinkSync(directory.entry(name))
  } catch (error) {
    if (hasCode(error, 'EINVAL', 'ENOENT')) return undefined
    throw error
  }
}

function make(directory: Directory, name: string): void {
  try {
    mkdirSync(directory.entry(name))
    directory.confirm()
  } catch (error) {
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

/** Directories, symlinks, steps back, and what changed while it was looked at. */
const mostTurns = 1_000
const leadsOut = 'a symlink on the way leads out of the root'
