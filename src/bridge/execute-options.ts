import { abortSignal, type Check, hook, optionComplaint, string, wholeOrZero } from '../check-options.ts'
import type { ConfigError } from '../errors.ts'
import type { ExecuteOptions } from './provider.ts'

const checks: { readonly [option in keyof Required<ExecuteOptions>]: Check } = {
  signal: abortSignal,
  claim: string,
  asOf: wholeOrZero,
  onProgress: hook,
}

/** What is wrong with the options of `executeToolCalls`: its results say so, since it never throws. */
export function complaintAbout(options: unknown): ConfigError | undefined {
  return optionComplaint(options, checks)
}
