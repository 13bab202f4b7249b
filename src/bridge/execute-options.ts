import { ConfigError } from '../errors.ts'
import { isObject } from '../protocol/json-rpc.ts'

const checks: { readonly [option: string]: (value: unknown) => string | undefined } = {
  signal: (value) => (value instanceof AbortSignal ? undefined : 'must be an AbortSignal'),
  claim: (value) => (typeof value === 'string' ? undefined : 'must be a string'),
  onProgress: (value) => (typeof value === 'function' ? undefined : 'must be a function'),
}

/** What is wrong with the options of `executeToolCalls`: its results say so, since it never throws. */
export function complaintAbout(options: unknown): ConfigError | undefined {
  if (!isObject(options)) return new ConfigError({ path: ['options'], reason: 'must be an object' })
  for (const [option, value] of Object.entries(options)) {
    const check = Object.hasOwn(checks, option) ? checks[option] : undefined
    const known = Object.keys(checks).join(', ')
    const reason = check ? value !== undefined && check(value) : `is no option; known are ${known}`
    if (reason) return new ConfigError({ path: [option], reason })
  }
  return undefined
}
