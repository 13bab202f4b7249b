import { folded } from './containment.ts'
import { type Location, readLocation, toText } from './location.ts'

/** A location to be compared with many others. */
export interface Place {
  /** The one spelling of this location. */
  readonly path: string
  readonly location: Location
  /** The segments without what some disks do not tell apart. */
  readonly keys: readonly string[]
}

/** Undefined when nobody can say for certain where the path leads. */
export function placeOf(path: unknown): Place | undefined {
  const location = readLocation(path)
  return location && { path: toText(location), location, keys: location.segments.map(folded) }
}

/** Whether one is at, above or below the other, as far as anybody can tell: `isUnder` either way is not `no`. */
export function overlap(one: Place, other: Place): boolean {
  if (one.location.isAbsolute !== other.location.isAbsolute) return true
  const depth = Math.min(one.keys.length, other.keys.length)
  for (let index = 0; index < depth; index += 1) if (one.keys[index] !== other.keys[index]) return false
  return true
}
