import type { Dirent } from 'node:fs'
import { opendir } from 'node:fs/promises'
import type { Directory } from '../root/directory.ts'

export type Kind = 'file' | 'directory' | 'symlink' | 'special'

export interface Entry {
  readonly name: string
  readonly kind: Kind
}

/** What is in a directory, in the order of the names; of a huge one only a part. */
export async function entriesOf(directory: Directory): Promise<readonly Entry[]> {
  const entries: Entry[] = []
  for await (const dirent of await opendir(directory.self, { bufferSize: 1_024 })) {
    entries.push({ name: dirent.name, kind: kindOf(dirent) })
    if (entries.length === mostEntries) break
  }
  directory.confirm()
  return entries.sort((one, other) => (one.name < other.name ? -1 : 1))
}

export function kindOf(what: Pick<Dirent, 'isFile' | 'isDirectory' | 'isSymbolicLink'>): Kind {
  if (what.isFile()) return 'file'
  if (what.isDirectory()) return 'directory'
  return what.isSymbolicLink() ? 'symlink' : 'special'
}

const mostEntries = 100_000
