import { realpathSync } from 'node:fs'
import { delimiter, isAbsolute, parse } from 'node:path'
import type { Root } from '../root/root.ts'

/** The named variables of this process. */
export function environment(names: readonly string[], root: Root): { readonly [name: string]: string } {
  const entries = names.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, /^path$/i.test(name) ? trusted(value, root) : value] as const]
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
    .filter((folder) => isAbsolute(folder) && (root.holds(parse(folder).root) || !root.holds(real(folder))))
    .join(delimiter)
}

function real(folder: string): string {
  try {
    return realpathSync.native(folder)
  } catch {
    return folder
  }
}
