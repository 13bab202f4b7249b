import type { Place } from '../../config/place.ts'
import { unknownKey } from '../../config/readers.ts'
import { nearest } from '../../nearest.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { JsonProblem } from '../schema/json-problem.ts'
import { compileProblems } from '../schema/json-schema.ts'

/**
 * Refuses a configuration that does not fit. Keys that are unknown or missing are named all at once, the rest one by one; values
 * never, which may be secrets. @throws ConfigError
 */
export function checkConfig(schema: JsonObject, config: JsonObject, place: Place): void {
  const known = Object.keys(isObject(schema.properties) ? schema.properties : {})
  const unknown = isClosed(schema) ? Object.keys(config).filter((key) => !known.includes(key)) : []
  const required: readonly unknown[] = Array.isArray(schema.required) ? schema.required : []
  const missing = required.filter((key) => typeof key === 'string' && !Object.hasOwn(config, key))
  const [only] = unknown
  if (only !== undefined && unknown.length + missing.length === 1)
    throw place.at(only).bad(known.length > 0 ? unknownKey(only, known) : 'is no key here; there are none')
  if (unknown.length + missing.length > 0) throw place.bad(keysInWords(unknown, missing, known))
  const [problem] = problemsOf(schema, config, place)
  if (problem) throw problem.path.reduce((spot, key) => spot.at(key), place).bad(problem.reason)
}

/** Whether nothing but its `properties` says which keys there may be. */
function isClosed(schema: JsonObject): boolean {
  return openers.every((keyword) => !schema[keyword])
}

function keysInWords(
  unknown: readonly string[],
  missing: readonly unknown[],
  known: readonly string[],
): string {
  const complaints = [
    ...unknown.map((key) => {
      const near = nearest(key, known)
      return `${key} is no key here${near === undefined ? '' : ` (did you mean ${near}?)`}`
    }),
    ...missing.map((key) => `${key} is missing`),
  ]
  return `${complaints.join(', ')}; known are ${known.join(', ') || 'none'}`
}

function problemsOf(schema: JsonObject, config: JsonObject, place: Place): readonly JsonProblem[] {
  try {
    return compileProblems(schema)(config)
  } catch (cause) {
    const reason = `is of a class whose static config is no valid JSON Schema: ${thrownMessage(cause)}`
    throw place.bad(reason, { cause })
  }
}

const openers = ['additionalProperties', 'patternProperties', '$ref', 'allOf', 'anyOf', 'oneOf']
