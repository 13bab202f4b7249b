import { type Location, readLocation, resolve, toText } from '../../../paths/location.ts'
import type { JsonObject } from '../../../protocol/json-rpc.ts'
import { type Declared, readArgument } from '../read-argument.ts'

/** The arguments that are locations by convention. */
export const usualPathParams: readonly string[] = ['path', 'from', 'to']

/** One place a call names, or writes to. */
export interface NamedLocation {
  /** Absolute where that can be told, else as it was given. */
  readonly text: string
  /** Undefined when it cannot be compared with anything. */
  readonly location: Location | undefined
}

/** The location arguments that are there. */
export function locationsOf(
  args: JsonObject,
  params: readonly string[],
  root: Location | undefined,
  declared?: Declared,
): readonly NamedLocation[] {
  const names = Object.keys(args)
  return params
    .map((param) => readArgument(args, param, declared, names))
    .filter((path) => path !== undefined)
    .map((path) => namedLocation(path, root))
}

/** Anything but a string is a place nobody knows. */
export function namedLocation(path: unknown, root: Location | undefined): NamedLocation {
  const read = readLocation(path)
  const location = read && resolve(root, read)
  return { text: location ? toText(location) : typeof path === 'string' ? path : '', location }
}
