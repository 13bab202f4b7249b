import type { Stats } from 'node:fs'
import { type Directory, fileComplaint } from '../root/directory.ts'
import { Refusal } from '../root/refusal.ts'
import type { Place } from '../root/walk.ts'

/** Where a file is, or may be made. */
export interface FilePlace {
  readonly directory: Directory
  readonly name: string
  /** Undefined when there is none yet. */
  readonly stats: Stats | undefined
}

/** @throws Refusal where something else is */
export function fileAt({ directory, name, stats }: Place): FilePlace {
  const complaint = stats && fileComplaint(stats)
  if (name === undefined) throw new Refusal('it is a directory')
  if (complaint) throw new Refusal(complaint)
  return { directory, name, stats }
}
