import { nearest } from '../nearest.ts'
import { isObject } from '../protocol/json-rpc.ts'
import type { Place } from './place.ts'

/** Takes a value for what it should be. @throws ConfigError with the path of what is not */
export type Read<Value> = (value: unknown, place: Place) => Value

export const text: Read<string> = (value, place) => {
  if (typeof value === 'string' && value !== '') return value
  throw place.bad(`must be a non-empty string${not(value)}`)
}

export const flag: Read<boolean> = (value, place) => {
  if (typeof value === 'boolean') return value
  throw place.bad(`must be true or false${not(value)}`)
}

/** Any string: an argument and a variable may be empty. */
export const anyText: Read<string> = (value, place) => {
  if (typeof value === 'string') return value
  throw place.bad(`must be a string${not(value)}`)
}

export const object: Read<{ readonly [key: string]: unknown }> = (value, place) => {
  if (isObject(value)) return value
  throw place.bad(`must be an object${not(value)}`)
}

export const milliseconds: Read<number> = (value, place) => {
  if (typeof value === 'number' && value >= 0 && Number.isFinite(value)) return value
  throw place.bad(`must be milliseconds, 0 or more${not(value)}`)
}

export const count: Read<number> = (value, place) => {
  if (Number.isSafeInteger(value) && Number(value) >= 0) return Number(value)
  throw place.bad(`must be a whole number, 0 or more${not(value)}`)
}

export function numberFrom(least: number, most = Number.MAX_VALUE): Read<number> {
  return (value, place) => {
    if (typeof value === 'number' && value >= least && value <= most) return value
    const range = most === Number.MAX_VALUE ? `${least} or more` : `from ${least} to ${most}`
    throw place.bad(`must be a number, ${range}${not(value)}`)
  }
}

export function listOf<Item>(read: Read<Item>): Read<readonly Item[]> {
  return (value, place) => {
    if (Array.isArray(value)) return value.map((item, index) => read(item, place.at(`${index}`)))
    throw place.bad(`must be an array${not(value)}`)
  }
}

export function mapOf<Item>(read: Read<Item>): Read<{ readonly [key: string]: Item }> {
  return (value, place) =>
    Object.fromEntries(
      Object.entries(object(value, place)).map(([key, item]) => [key, read(item, place.at(key))]),
    )
}

export function oneOf<Choice extends string>(...choices: readonly Choice[]): Read<Choice> {
  return (value, place) => {
    const chosen = choices.find((choice) => choice === value)
    if (chosen !== undefined) return chosen
    throw place.bad(`must be one of ${choices.join(', ')}`)
  }
}

export type Readers<Members> = {
  readonly [Key in keyof Members]-?: Read<NonNullable<Members[Key]>>
}

/** An object with these keys, all optional, and no others. */
export function record<Members extends object>(readers: Readers<Members>): Read<Partial<Members>> {
  const known = Object.keys(readers)
  return (value, place) => {
    const members: Partial<Members> = {}
    const given = object(value, place)
    for (const key of Object.keys(given))
      if (!known.includes(key)) throw place.at(key).bad(unknownKey(key, known))
    for (const key in readers)
      if (given[key] !== undefined) members[key] = readers[key](given[key], place.at(key))
    return members
  }
}

/** Says that a key means nothing, and which was meant. */
export function unknownKey(key: string, known: readonly string[]): string {
  const near = nearest(key, known)
  return near === undefined
    ? `is no key here; known are ${known.join(', ')}`
    : `is no key here; did you mean ${near}?`
}

/** Never the value itself. */
function not(value: unknown): string {
  if (value === '') return ', not an empty one'
  // No secret is a number, and it may be of the right type.
  if (value === null || typeof value === 'number') return `, not ${value}`
  return `, not ${Array.isArray(value) ? 'an array' : articles[typeof value]}`
}

const articles: { readonly [type: string]: string } = {
  string: 'a string',
  boolean: 'a boolean',
  object: 'an object',
  undefined: 'nothing',
}
