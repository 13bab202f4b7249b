import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Directory, fileComplaint } from './directory.ts'
import { hasCode, Refusal } from './refusal.ts'

/**
 * Anywhere: a directory by its path, looked at before and after each use. Between a look and the use others can still put a symlink
 * there, and take it away again: then a call may read or change what is elsewhere. That takes another program that is set on it.
 */
export class CheckedDirectory implements Directory {
  readonly self: string

  private constructor(path: string) {
    this.self = path
  }

  static open(path: string): CheckedDirectory {
    const directory = new CheckedDirectory(path)
    directory.confirm()
    return directory
  }

  entry(name: string): string {
    return join(this.self, name)
  }

  enter(name: string): CheckedDirectory | undefined {
    try {
      const path = this.entry(name)
      if (!lstatSync(path).isDirectory()) return undefined
      // In the spelling that the file system has for it.
      const real = realpathSync.native(path)
      return dirname(real) === this.self ? new CheckedDirectory(real) : undefined
    } catch (error) {
      if (hasCode(error, 'ENOTDIR', 'ELOOP', 'ENOENT')) return undefined
      throw error
    }
  }

  openFile(name: string): number {
    const path = this.entry(name)
    const seen = lstatSync(path)
    const complaint = fileComplaint(seen)
    if (complaint) throw new Refusal(complaint)
    const descriptor = openSync(path, toRead)
    try {
      const { ino, dev } = fstatSync(descriptor)
      if (ino !== seen.ino || dev !== seen.dev) throw new Refusal(swapped)
      this.confirm()
      return descriptor
    } catch (error) {
      closeSync(descriptor)
      throw error
    }
  }

  confirm(): void {
    const isSame = lstatSync(this.self).isDirectory() && realpathSync.native(this.self) === this.self
    if (!isSame) throw new Refusal(swapped)
  }

  close(): void {}
}

const swapped = 'something on the way to it was replaced meanwhile; try again'
/** Windows has neither: no symlink is followed where it knows none, and no open waits. */
const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
