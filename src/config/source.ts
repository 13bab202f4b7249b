import { ConfigError } from '../errors.ts'

export type Path = readonly string[]

/** A configuration before it is understood, and how to complain of a part of it. */
export interface Source {
  readonly value: unknown
  /** `reason` goes on after the path; it never repeats a value, which may be a secret. */
  bad(path: Path, reason: string, options?: ErrorOptions): ConfigError
}

/** One that was written as an object in the program. */
export function fromObject(value: unknown): Source {
  return { value, bad: (path, reason, options) => new ConfigError({ path, reason }, options) }
}
