import { realpathSync, statSync } from 'node:fs'
import { isAbsolute, resolve } from 'node:path'
import { badOption } from '../../check-options.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { CheckedDirectory } from './checked-directory.ts'
import type { Directory, OpenDirectory } from './directory.ts'
import { canHold, HeldDirectory } from './held-directory.ts'
import { type RootNames, readPath, segmentsBelow } from './read-path.ts'
import { Refusal } from './refusal.ts'
import { type Place, type WalkOptions, walk } from './walk.ts'

/** The best there is on this machine. */
const openDirectory: OpenDirectory = canHold() ? HeldDirectory.open : CheckedDirectory.open

/** A directory that nothing gets out of: neither `..`, nor a symlink, nor one that is put there while a call is under way. */
export class Root {
  readonly #names: RootNames
  readonly #real: string
  readonly #open: OpenDirectory

  /** @throws ConfigError when it is no directory */
  constructor(path: string, open: OpenDirectory = openDirectory) {
    this.#real = realDirectory(path)
    this.#names = [resolve(path), this.#real]
    this.#open = open
  }

  /** Uses the place a path leads to. Something may be there, or nothing. @throws Refusal for what leads elsewhere */
  async at<Value>(path: string, options: WalkOptions, use: (place: Place) => Promise<Value>): Promise<Value> {
    const start = {
      open: () => this.#start(),
      readLink: (target: string) => segmentsBelow(target, this.#names),
      isAbsolute,
    }
    const place = walk(start, readPath(path, this.#names), options)
    try {
      return await use(place)
    } finally {
      place.directory.close()
    }
  }

  /** Uses the directory a path leads to. @throws Refusal for what is none */
  within<Value>(path: string, use: (directory: Directory) => Promise<Value>): Promise<Value> {
    return this.at(path, { follows: true }, async ({ directory, name, stats }) => {
      if (name === undefined) return use(directory)
      if (!stats) throw new Refusal('there is no such directory')
      const inner = directory.enter(name)
      if (!inner) throw new Refusal('it is not a directory')
      try {
        return await use(inner)
      } finally {
        inner.close()
      }
    })
  }

  /** The names below the root that an argument consists of, symlinks as they are called. @throws Refusal */
  segments(path: string): readonly string[] {
    return readPath(path, this.#names)
  }

  /** Whether an absolute path is the root or below it, as it is written. */
  holds(path: string): boolean {
    return segmentsBelow(path, this.#names)?.includes('..') === false
  }

  #start(): Directory {
    try {
      return this.#open(this.#real)
    } catch (cause) {
      throw new Refusal(`the root of this server cannot be entered: ${thrownMessage(cause)}`, { cause })
    }
  }
}

function realDirectory(path: string): string {
  try {
    const real = realpathSync.native(path)
    if (statSync(real).isDirectory()) return real
  } catch (error) {
    throw badOption('root', `must be a directory that is there: ${thrownMessage(error)}`)
  }
  throw badOption('root', `must be a directory, and ${path} is none`)
}
