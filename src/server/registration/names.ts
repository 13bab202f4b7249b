import { ConfigError } from '../../errors.ts'

/** @throws ConfigError for what is no name of a tool or prompt */
export function checkName(kind: 'tool' | 'prompt', name: unknown): string {
  if (typeof name === 'string' && /^[A-Za-z0-9_.-]{1,128}$/.test(name)) return name
  throw new ConfigError({
    path: [kind],
    reason: `names must be 1 to 128 characters of A-Z a-z 0-9 _ . -, not ${JSON.stringify(name)?.slice(0, 200)}`,
  })
}

/** @throws ConfigError for what is no absolute URI */
export function checkUri(uri: unknown): string {
  if (typeof uri === 'string' && /^[A-Za-z][A-Za-z0-9+.-]*:[^\s]*$/.test(uri)) return uri
  throw new ConfigError({
    path: ['resource'],
    reason: `must be named by an absolute URI such as config://app, not ${JSON.stringify(uri)?.slice(0, 200)}`,
  })
}
