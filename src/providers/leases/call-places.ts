import { type Location, readLocation } from '../../paths/location.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { EvaluationOptions } from '../policy/evaluation-options.ts'
import {
  locationsOf,
  type NamedLocation,
  namedLocation,
  usualPathParams,
} from '../policy/paths/call-locations.ts'
import { longestMatch, longestPrefix } from '../tool-pattern.ts'
import { lockTools } from './lock-tools.ts'

type PlaceOptions = Pick<EvaluationOptions, 'roots' | 'pathParams'>

/** The places a call names, as its tool means them. */
export function placesOfCall(
  tool: string,
  args: JsonObject,
  options: PlaceOptions,
): readonly NamedLocation[] {
  const { pathParams = {}, roots = {} } = options
  const root = readLocation(longestPrefix(roots, tool))
  return locationsOf(args, longestMatch(pathParams, tool) ?? usualPathParams, root)
}

/** A path that is to be locked; as it was given where nobody can say where it leads. */
export function pathToLock(path: string, { roots = {} }: PlaceOptions): string {
  return namedLocation(path, lockRoot(roots)).text
}

/** Locks are relative to what everything else is relative to, where that is one directory. */
function lockRoot(roots: NonNullable<PlaceOptions['roots']>): Location | undefined {
  const own = longestPrefix(roots, lockTools.acquire)
  const [only, ...others] = new Set(Object.values(roots))
  return readLocation(own ?? (others.length === 0 ? only : undefined))
}
