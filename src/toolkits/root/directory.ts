import type { Stats } from 'node:fs'

/**
 * A directory that was reached without leaving the root. To be closed. Looking up names is synchronous: the system has them in memory
 * nearly always, and handing it to another thread takes far longer.
 */
export interface Directory {
  /** Where the system finds it. */
  readonly self: string
  /** Where the system finds what is called so in it; `name` is one segment. Whoever uses that must not follow a symlink there. */
  entry(name: string): string
  /** Undefined for what is not there, or no directory itself: a symlink is none. */
  enter(name: string): Directory | undefined
  /** A descriptor of a regular file, for reading; to be closed. @throws Refusal for anything else, which is not opened */
  openFile(name: string): number
  /** @throws Refusal when this is not the directory any more that was reached */
  confirm(): void
  close(): void
}

/** Opens a directory by its real path. */
export type OpenDirectory = (path: string) => Directory

/** Why it cannot be read and replaced like a file; undefined when it can. */
export function fileComplaint(stats: Stats): string | undefined {
  if (stats.isFile()) return undefined
  if (stats.isDirectory()) return 'it is a directory'
  return stats.isSymbolicLink() ? 'it has just become a symlink; try again' : specialComplaint
}

export const specialComplaint = 'it is no file and no directory but a device, a pipe or a socket'
