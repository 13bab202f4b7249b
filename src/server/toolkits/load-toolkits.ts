import { Place } from '../../config/place.ts'
import { object } from '../../config/readers.ts'
import { fromObject } from '../../config/source.ts'
import { ConfigError } from '../../errors.ts'
import { thrownMessage } from '../../thrown-message.ts'
import {
  isToolkit,
  type PlugOptions,
  type Toolkit,
  type ToolkitWithOptions,
} from '../registration/toolkit.ts'
import type { McpServer } from '../server.ts'
import { absolutePaths } from './absolute-paths.ts'
import { loadToolkitClass } from './load-class.ts'
import { isToolkitClass, schemaOf, type ToolkitClass, toolkitAt } from './toolkit-class.ts'

/**
 * A toolkit, or what one is made of: a class, or the name of one. In a configuration `prefix` is the prefix it goes by. Names are
 * `FileSystem` and `Shell`, which are built in, and modules: packages, or paths of the working directory.
 */
export type ToolkitEntry =
  | Toolkit
  | ToolkitClass
  | string
  | readonly [toolkit: Toolkit, options: PlugOptions]
  | readonly [toolkit: ToolkitClass | string, config: object]

/** Every toolkit of a list, loaded and made. @throws ConfigError that names the entry and what is wrong with it */
export async function loadToolkits(entries: readonly ToolkitEntry[]): Promise<readonly ToolkitWithOptions[]> {
  const list = new Place(fromObject(entries), ['toolkits'])
  const loaded: ToolkitWithOptions[] = []
  for (const [index, entry] of entries.entries()) {
    const place = list.at(String(index))
    const [what, given] = Array.isArray(entry) ? entry : [entry, {}]
    loaded.push(
      isToolkit(what) ? [what, object(given, place)] : await openToolkit(what, given, process.cwd(), place),
    )
  }
  return loaded
}

/** A toolkit of a configuration that may say under which prefix it goes. @throws ConfigError */
export async function openToolkit(
  what: unknown,
  given: unknown,
  folder: string,
  place: Place,
): Promise<readonly [Toolkit, PlugOptions]> {
  try {
    return await opened(what, given, folder, place)
  } catch (cause) {
    if (cause instanceof ConfigError) throw cause
    // Getters of a module's or a class's own.
    throw place.bad(`cannot be looked into: ${thrownMessage(cause)}`, { cause })
  }
}

/** Opens one by its name and plugs it. @throws ConfigError */
export async function plugNamed(
  server: McpServer,
  name: string,
  config: unknown,
  folder: string,
  place: Place,
): Promise<void> {
  const [toolkit, options] = await openToolkit(name, config, folder, place)
  try {
    server.plug(toolkit, options)
  } catch (cause) {
    throw place.bad(`cannot be plugged: ${thrownMessage(cause)}`, { cause })
  }
}

async function opened(
  what: unknown,
  given: unknown,
  folder: string,
  place: Place,
): Promise<readonly [Toolkit, PlugOptions]> {
  const { prefix, ...config } = object(given, place)
  if (prefix !== undefined && typeof prefix !== 'string') throw place.at('prefix').bad('must be a string')
  const type = typeof what === 'string' ? await loadToolkitClass(what, folder, place) : what
  if (!isToolkitClass(type)) throw place.bad('must be a toolkit, a class of toolkits or the name of one')
  const toolkit = toolkitAt(type, absolutePaths(schemaOf(type, place), config, folder), place)
  return [toolkit, prefix === undefined ? {} : { prefix }]
}
