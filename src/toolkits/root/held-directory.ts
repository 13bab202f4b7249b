import { constants, readlinkSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import type { Directory } from './directory.ts'
import { fileComplaint } from './directory.ts'
import { hasCode, Refusal } from './refusal.ts'

/**
 * Linux: a directory by its descriptor. What is found through it is in the very directory that was opened, wherever others have
 * moved it and whatever they have put in its place: there is no moment between a check and its use.
 */
export class HeldDirectory implements Directory {
  readonly #handle: FileHandle

  private constructor(handle: FileHandle) {
    this.#handle = handle
  }

  static async open(path: string): Promise<HeldDirectory> {
    return new HeldDirectory(await open(path, asDirectory))
  }

  get self(): string {
    return pathOf(this.#handle)
  }

  entry(name: string): string {
    return `${this.self}/${name}`
  }

  async enter(name: string): Promise<HeldDirectory | undefined> {
    try {
      return await HeldDirectory.open(this.entry(name))
    } catch (error) {
      if (hasCode(error, 'ENOTDIR', 'ELOOP', 'ENOENT')) return undefined
      throw error
    }
  }

  async openFile(name: string): Promise<FileHandle> {
    // Named first and opened then: to open a pipe or a device is to act on it.
    const named = await open(this.entry(name), asName)
    try {
      const complaint = fileComplaint(await named.stat())
      if (complaint) throw new Refusal(complaint)
      return await open(pathOf(named), constants.O_RDONLY)
    } finally {
      await named.close()
    }
  }

  async confirm(): Promise<void> {}

  close(): Promise<void> {
    return this.#handle.close()
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

function pathOf({ fd }: FileHandle): string {
  return `/proc/self/fd/${fd}`
}

/** Linux's O_PATH, which Node does not name: a descriptor of the place, which opens nothing. */
const asName = 0x20_0000 | constants.O_NOFOLLOW
const asDirectory = asName | constants.O_DIRECTORY
