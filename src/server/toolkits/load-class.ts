import type { Place } from '../../config/place.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { builtIn } from './built-in.ts'
import { resolveModule } from './resolve-module.ts'
import { isToolkitClass, type ToolkitClass } from './toolkit-class.ts'

/**
 * The class a name stands for: one of ours, or what a module exports, by default or as its only one. Runs the module.
 * @throws ConfigError
 */
export async function loadToolkitClass(name: string, folder: string, place: Place): Promise<ToolkitClass> {
  const load = builtIn.get(name)
  return load ? load() : classIn(await importModule(await resolveModule(name, folder, place), place), place)
}

async function importModule(url: string, place: Place): Promise<object> {
  try {
    return await import(url)
  } catch (cause) {
    throw place.bad(`cannot be loaded: ${thrownMessage(cause)}`, { cause })
  }
}

function classIn(module: object, place: Place): ToolkitClass {
  const { default: byDefault, ...named } = module as { readonly [name: string]: unknown }
  if (isToolkitClass(byDefault)) return byDefault
  // What was CommonJS once is exported by default, all of it.
  const exported = [...Object.values(named), ...(isObject(byDefault) ? Object.values(byDefault) : [])]
  const [only, ...more] = new Set(exported.filter(isToolkitClass))
  if (only && more.length === 0) return only
  throw place.bad(
    only
      ? `exports several classes of toolkits: ${[only, ...more].map(({ name }) => name).join(', ')}; one has to be the default export`
      : 'exports no class of toolkits: its default export must be a class with the method register',
  )
}
