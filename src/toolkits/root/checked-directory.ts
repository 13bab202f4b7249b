import { constants } from 'node:fs'
import { type FileHandle, lstat, open, realpath } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type Directory, fileComplaint } from './directory.ts'
import { hasCode, Refusal } from './refusal.ts'

/**
 * Anywhere: a directory by its path, looked at before and after each use. Between a look and the use others can still put a symlink
 * there: what is read then is not handed out, but a change may land elsewhere before it is noticed.
 */
export class CheckedDirectory implements Directory {
  readonly self: string

  private constructor(path: string) {
    this.self = path
  }

  static async open(path: string): Promise<CheckedDirectory> {
    const directory = new CheckedDirectory(path)
    await directory.confirm()
    return directory
  }

  entry(name: string): string {
    return join(this.self, name)
  }

  async enter(name: string): Promise<CheckedDirectory | undefined> {
    try {
      const path = this.entry(name)
      if (!(await lstat(path)).isDirectory()) return undefined
      // In the spelling that the file system has for it.
      const real = await realpath(path)
      return dirname(real) === this.self ? new CheckedDirectory(real) : undefined
    } catch (error) {
      if (hasCode(error, 'ENOTDIR', 'ELOOP', 'ENOENT')) return undefined
      throw error
    }
  }

  async openFile(name: string): Promise<FileHandle> {
    const path = this.entry(name)
    const seen = await lstat(path)
    const complaint = fileComplaint(seen)
    if (complaint) throw new Refusal(complaint)
    const handle = await open(path, toRead)
    try {
      const { ino, dev } = await handle.stat()
      if (ino !== seen.ino || dev !== seen.dev) throw new Refusal(swapped)
      await this.confirm()
      return handle
    } catch (error) {
      await handle.close()
      throw error
    }
  }

  async confirm(): Promise<void> {
    const isSame = (await lstat(this.self)).isDirectory() && (await realpath(this.self)) === this.self
    if (!isSame) throw new Refusal(swapped)
  }

  async close(): Promise<void> {}
}

const swapped = 'something on the way to it was replaced meanwhile; try again'
/** Windows has neither: no symlink is followed where it knows none, and no open waits. */
const toRead = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)
