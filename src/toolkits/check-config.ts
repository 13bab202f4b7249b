import { badOption, type Check, checkOptions } from '../check-options.ts'

/** What each key of a configuration must be. */
export type ConfigChecks<Config> = { readonly [key in keyof Required<Config>]: Check }

/** Refuses a pack's configuration that has unknown, bad or missing keys. @throws ConfigError */
export function checkConfig<Config extends object>(
  config: Config,
  checks: ConfigChecks<Config>,
  required: readonly (keyof Config & string)[],
): void {
  checkOptions(config, checks)
  for (const key of required) if (config[key] === undefined) throw badOption(key, 'is missing')
}
