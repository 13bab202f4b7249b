import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, parse } from 'node:path'
import type { Root } from '../root/root.ts'

/** The named variables of this process; no PATH where no folder of it is left, since programs take an empty one for where they are. */
export function environment(names: readonly string[], root: Root): { readonly [name: string]: string } {
  const entries = names.flatMap((name) => {
    const value = process.env[name]
    const safe = value !== undefined && /^path$/i.test(name) ? trusted(value, root) || undefined : value
    return safe === undefined ? [] : [[name, safe] as const]
  })
  return Object.fromEntries(entries)
}

/**
 * Without the folders that whoever writes below the root can put a program of an allowed name into, and those that mean another one
 * everywhere. Below a root that is a whole disk there are no others.
 */
function trusted(path: string, root: Root): string {
  return path
    .split(delimiter)
    .filter((folder) => isAbsolute(folder) && (root.holds(parse(folder).root) || isOutside(folder, root)))
    .join(delimiter)
}

/** By its name too: a symlink below the root can be made another one. */
function isOutside(folder: string, root: Root): boolean {
  return !root.holds(folder) && !root.holds(real(folder))
}

function real(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}
