import { closeSync, constants, fstatSync, openSync, readlinkSync } from 'node:fs'
import { type Directory, fileComplaint } from './directory.ts'
import { hasCode, Refusal } from './refusal.ts'

/**
 * Linux: a directory by its descriptor. What is found through it is in the very directory that was opened, wherever others have
 * moved it and whatever they have put in its place: there is no moment between a check and its use.
 */
export class HeldDirectory implements Directory {
  readonly self: string
  readonly #descriptor: number

  private constructor(descriptor: number) {
    this.#descriptor = descriptor
    this.self = pathOf(descriptor)
  }

  /** @throws Refusal when something on the way there was replaced by a symlink */
  static open(path: string): HeldDirectory {
    const directory = new HeldDirectory(openSync(path, asDirectory))
    if (readlinkSync(directory.self) === path) return directory
    directory.close()
    throw new Refusal('it is not where it was')
  }

  entry(name: string): string {
    return `${this.self}/${name}`
  }

  enter(name: string): HeldDirectory | undefined {
    try {
      return new HeldDirectory(openSync(this.entry(name), asDirectory))
    } catch (error) {
      if (hasCode(error, 'ENOTDIR', 'ELOOP', 'ENOENT')) return undefined
      throw error
    }
  }

  openFile(name: string): number {
    // Named first and opened then: to open a pipe or a device is to act on it.
    const named = openSync(this.entry(name), asName)
    try {
      const complaint = fileComplaint(fstatSync(named))
      if (complaint) throw new Refusal(complaint)
      return openSync(pathOf(named), toRead)
    } finally {
      closeSync(named)
    }
  }

  confirm(): void {}

  close(): void {
    closeSync(this.#descriptor)
  }
}

/** Whether descriptors lead anywhere: `/proc` may be missing, or show other processes. */
export function canHold(): boolean {
  if (process.platform !== 'linux') return false
  try {
    return readlinkSync('/proc/self') === String(process.pid)
  } catch {
    return false
  }
}

function pathOf(descriptor: number): string {
  return `/proc/self/fd/${descriptor}`
}

/** Linux's O_PATH, which Node does not name: a descriptor of the place, which opens nothing. */
const asName = 0x20_0000 | constants.O_NOFOLLOW
/** Whoever holds a lease on a file could have us wait for it, and all others with us. */
const toRead = constants.O_RDONLY | constants.O_NONBLOCK
const asDirectory = asName | constants.O_DIRECTORY
