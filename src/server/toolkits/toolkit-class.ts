import { Place } from '../../config/place.ts'
import { fromObject } from '../../config/source.ts'
import { ConfigError } from '../../errors.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { isToolkit, type Toolkit } from '../registration/toolkit.ts'
import { checkConfig } from './check-config.ts'

/**
 * A class of toolkits that are made of JSON: by `McpServer.create`, configuration files and `troupe serve`.
 *
 * ```ts
 * class Weather implements Toolkit {
 *   static readonly config = { type: 'object', properties: { apiKey: { type: 'string' } }, required: ['apiKey'] }
 *   constructor({ apiKey }: { apiKey: string }) { … }
 *   register(registrar: Registrar) { … }
 * }
 * ```
 */
export interface ToolkitClass<Made extends Toolkit = Toolkit> {
  /** Is given a configuration that fits. */
  new (config: never): Made
  /**
   * What may be configured: JSON Schema of an object, closed unless it says otherwise; default nothing. What decides how much is
   * let in belongs under `required`. The key `prefix` is whoever's who plugs it. Strings of `format: 'path'` are made absolute: in
   * a file they are relative to its folder.
   */
  readonly config?: JsonObject
}

export function isToolkitClass(value: unknown): value is ToolkitClass {
  return typeof value === 'function' && isToolkit(value.prototype)
}

/** Makes a toolkit of a configuration. @throws ConfigError that names all keys that are unknown or missing, or what does not fit */
export function toolkitFromConfig<Made extends Toolkit>(type: ToolkitClass<Made>, config: object = {}): Made {
  const place = new Place(fromObject(config), ['config'])
  return toolkitAt(type, config as JsonObject, place)
}

/** The same for a configuration that stands somewhere. */
export function toolkitAt<Made extends Toolkit>(
  type: ToolkitClass<Made>,
  config: JsonObject,
  place: Place,
): Made {
  checkConfig(schemaOf(type, place), config, place)
  try {
    return new type(config as never)
  } catch (cause) {
    if (cause instanceof ConfigError) throw place.holding(cause)
    throw place.bad(`makes no toolkit: ${thrownMessage(cause)}`, { cause })
  }
}

/** What may be configured, as JSON Schema. @throws ConfigError when the class says that in no way that is one */
export function schemaOf({ config = nothing }: Pick<ToolkitClass, 'config'>, place: Place): JsonObject {
  if (!isObject(config) || config.type !== 'object')
    throw place.bad('is of a class whose static config is no JSON Schema with type "object"')
  if (isObject(config.properties) && Object.hasOwn(config.properties, 'prefix'))
    throw place.bad('is of a class that declares the key prefix, which is for whoever plugs it')
  return config
}

const nothing: JsonObject = { type: 'object', properties: {} }
