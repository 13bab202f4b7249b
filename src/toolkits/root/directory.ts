import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** A directory that was reached without leaving the root. To be closed. */
export interface Directory {
  /** Where the system finds it. */
  readonly self: string
  /** Where the system finds what is called so in it; `name` is one segment. Whoever uses that must not follow a symlink there. */
  entry(name: string): string
  /** Undefined for what is not there, or no directory itself: a symlink is none. */
  enter(name: string): Promise<Directory | undefined>
  /** Opens a regular file for reading. @throws Refusal for anything else, which is not opened */
  openFile(name: string): Promise<FileHandle>
  /** @throws Refusal when this is not the directory any more that was reached */
  confirm(): Promise<void>
  close(): Promise<void>
}

/** Opens a directory by its real path. */
export type OpenDirectory = (path: string) => Promise<Directory>

/** Why it cannot be read and replaced like a file; undefined when it can. */
export function fileComplaint(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return 'it is a directory'
  return stats.isSymbolicLink()
    ? 'it has just become a symlink; try again'
    : 'it is no regular file but a device, a pipe or a socket'
}
