import { badOption, type Check, checkOptions } from '../check-options.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'

/** What each key of a configuration must be. */
export type ConfigChecks<Config> = { readonly [key in keyof Required<Config>]: Check }

/** What JSON Schema says of each key of a configuration. */
export type ConfigProperties<Config> = { readonly [key in keyof Required<Config>]: JsonObject }

/** Refuses a pack's configuration that has unknown, bad or missing keys. @throws ConfigError */
export function checkConfig<Config extends object>(
  config: Config,
  checks: ConfigChecks<Config>,
  required: readonly (keyof Config & string)[],
): void {
  checkOptions(config, checks)
  for (const key of required) if (config[key] === undefined) throw badOption(key, 'is missing')
}
