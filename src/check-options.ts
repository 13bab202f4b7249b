import { ConfigError } from './errors.ts'
import { nearest } from './nearest.ts'
import { isObject } from './protocol/json-rpc.ts'
import { secretName } from './secret-shapes.ts'

/** What is wrong with a value, or undefined. */
export type Check = (value: unknown) => string | undefined

/** Options as a table of what each must be. */
export type Checks = { readonly [option: string]: Check }

/** Refuses options that are unknown or of a wrong type; `path` is where they stand. @throws ConfigError */
export function checkOptions(options: unknown, checks: Checks, path: readonly string[] = []): void {
  const complaint = optionComplaint(options, checks, path)
  if (complaint) throw complaint
}

/** The same for those who may not throw. */
export function optionComplaint(
  options: unknown,
  checks: Checks,
  path: readonly string[] = [],
): ConfigError | undefined {
  if (!isObject(options)) return badOption(path.at(-1) ?? 'options', 'must be an object', path.slice(0, -1))
  for (const [name, value] of Object.entries(options)) {
    const complain = Object.hasOwn(checks, name) ? checks[name] : undefined
    if (!complain) return badOption(name, unknownOption(name, Object.keys(checks)), path)
    const complaint = value === undefined ? undefined : complain(value)
    if (complaint)
      return badOption(name, mayBeSecret(name, value) ? complaint : `${complaint}, not ${show(value)}`, path)
  }
  return undefined
}

export function badOption(option: string, reason: string, path: readonly string[] = []): ConfigError {
  return new ConfigError({ path: [...path, option], reason })
}

function unknownOption(name: string, known: readonly string[]): string {
  const near = nearest(name, known)
  return near === undefined
    ? `is no option; known are ${known.join(', ')}`
    : `is no option; did you mean ${near}?`
}

/** What may hold secrets is not repeated. */
function mayBeSecret(name: string, value: unknown): boolean {
  return isObject(value) || Array.isArray(value) || (typeof value === 'string' && secretName.test(name))
}

function show(value: unknown): string {
  if (typeof value === 'bigint') return `${value}n`
  // As JSON, what is no number would be null.
  if (typeof value === 'number') return String(value)
  return typeof value === 'function' ? 'a function' : (JSON.stringify(value)?.slice(0, 100) ?? String(value))
}

export function string(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string'
}

export function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? undefined : 'must be a non-empty string'
}

export function texts(value: unknown): string | undefined {
  return Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    ? undefined
    : 'must be an array of strings'
}

export function textMap(value: unknown): string | undefined {
  const isMap = isObject(value) && Object.values(value).every((entry) => typeof entry === 'string')
  return isMap ? undefined : 'must be an object of strings'
}

export function object(value: unknown): string | undefined {
  return isObject(value) ? undefined : 'must be an object'
}

/** What goes to a server or a thread: anything else would be lost on the way, or stop it. */
export function json(value: unknown): string | undefined {
  return isObject(value) && isJson(value, []) ? undefined : 'must be an object of JSON'
}

function isJson(value: unknown, above: readonly unknown[]): boolean {
  if (typeof value === 'number') return Number.isFinite(value)
  if (typeof value !== 'object' || value === null)
    return value === null || typeof value === 'string' || typeof value === 'boolean'
  const isCyclic = above.includes(value)
  return (
    !isCyclic &&
    Object.values(value).every((member) => member === undefined || isJson(member, [...above, value]))
  )
}

export function flag(value: unknown): string | undefined {
  return typeof value === 'boolean' ? undefined : 'must be true or false'
}

export function hook(value: unknown): string | undefined {
  return typeof value === 'function' ? undefined : 'must be a function'
}

export function abortSignal(value: unknown): string | undefined {
  return value instanceof AbortSignal ? undefined : 'must be an AbortSignal'
}

export function milliseconds(value: unknown): string | undefined {
  return typeof value === 'number' && value >= 0 && Number.isFinite(value)
    ? undefined
    : 'must be milliseconds, 0 or more'
}

export function wholeNumber(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) > 0 ? undefined : 'must be a whole number above 0'
}

export function wholeOrZero(value: unknown): string | undefined {
  return Number.isSafeInteger(value) && Number(value) >= 0 ? undefined : 'must be a whole number, 0 or more'
}

export function portNumber(value: unknown): string | undefined {
  return Number.isInteger(value) && Number(value) >= 0 && Number(value) <= 65_535
    ? undefined
    : 'must be a whole number from 0 to 65535'
}

export function oneOf(...choices: readonly string[]): Check {
  return (value) =>
    choices.some((choice) => choice === value) ? undefined : `must be one of ${choices.join(', ')}`
}
