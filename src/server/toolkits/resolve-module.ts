import { access } from 'node:fs/promises'
import { isAbsolute, resolve, sep } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Place } from '../../config/place.ts'
import { nearest } from '../../nearest.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { builtIn } from './built-in.ts'

/**
 * The URL of a module that was named in a folder: by a path or URL, or as a package that is installed there or beside this
 * one. @throws ConfigError that says what to install
 */
export async function resolveModule(specifier: string, folder: string, place: Place): Promise<string> {
  const path = pathOf(specifier, folder)
  if (path === undefined) return resolvePackage(specifier, folder, place)
  try {
    await access(path)
  } catch (cause) {
    throw place.bad(`cannot be loaded: there is no file ${path}`, { cause })
  }
  return pathToFileURL(path).href
}

function pathOf(specifier: string, folder: string): string | undefined {
  return /^\.{1,2}[/\\]/.test(specifier) || isAbsolute(specifier) ? resolve(folder, specifier) : undefined
}

async function resolvePackage(specifier: string, folder: string, place: Place): Promise<string> {
  const { resolve: resolveFrom } = await import('import-meta-resolve')
  const failures: unknown[] = []
  for (const parent of [pathToFileURL(folder + sep).href, import.meta.url]) {
    try {
      return resolveFrom(specifier, parent)
    } catch (cause) {
      failures.push(cause)
    }
  }
  const cause = failures.find((failure) => !isAbsence(failure)) ?? failures[0]
  throw place.bad(isAbsence(cause) ? absence(specifier) : `cannot be loaded: ${thrownMessage(cause)}`, {
    cause,
  })
}

function isAbsence(failure: unknown): boolean {
  return failure instanceof Error && Reflect.get(failure, 'code') === 'ERR_MODULE_NOT_FOUND'
}

function absence(specifier: string): string {
  const near = nearest(specifier, [...builtIn.keys()])
  const known = `is not built in${near === undefined ? '' : ` (did you mean ${near}?)`}`
  const [, name] = /^((?:@[\w.-]+\/)?[\w.-]+)(?:\/|$)/.exec(specifier) ?? []
  if (name === undefined) return `${known}, and names no module`
  const missing = `${known}, and there is no package ${name}`
  // A slip is no package: whoever has taken that name could be anybody.
  return near === undefined ? `${missing}: npm install ${name} brings one` : missing
}
