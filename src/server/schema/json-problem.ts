import type { ErrorObject } from 'ajv'
import { unknownKey } from '../../config/readers.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'

export interface JsonProblem {
  /** Of what does not fit, within the value. */
  readonly path: readonly string[]
  readonly reason: string
}

/** What a validator found, in words that say what to write instead. */
export function problemOf(
  { instancePath, keyword, params, message = 'does not fit' }: ErrorObject,
  schema: JsonObject,
): JsonProblem {
  const path = instancePath.split('/').slice(1).map(unescaped)
  switch (keyword) {
    case 'required':
      return { path: [...path, params.missingProperty], reason: 'is missing' }
    case 'additionalProperties':
      return { path: [...path, params.additionalProperty], reason: unknownIn(schema, path, params) }
    case 'unevaluatedProperties':
      return { path: [...path, params.unevaluatedProperty], reason: 'is no key here' }
    case 'type':
      return { path, reason: `must be ${[params.type].flat().map(typeInWords).join(' or ')}` }
    case 'enum':
      return { path, reason: `must be one of ${valuesInWords(params.allowedValues)}` }
    case 'const':
      return { path, reason: `must be ${JSON.stringify(params.allowedValue)}` }
    default:
      return { path, reason: message.replace('must NOT', 'must not') }
  }
}

/** At the top the keys there are can be told; deeper down the validator does not say which schema it was. */
function unknownIn(
  { properties }: JsonObject,
  path: readonly string[],
  { additionalProperty }: ErrorObject['params'],
): string {
  if (path.length > 0 || !isObject(properties)) return 'is no key here'
  return unknownKey(additionalProperty, Object.keys(properties))
}

function typeInWords(type: string): string {
  if (type === 'null') return type
  return /^[aio]/.test(type) ? `an ${type}` : `a ${type}`
}

function valuesInWords(values: readonly unknown[]): string {
  const shown = values.slice(0, mostValues).map((value) => JSON.stringify(value))
  return values.length > mostValues ? `${shown.join(', ')} …` : shown.join(', ')
}

/** Of a step of a JSON pointer. */
function unescaped(step: string): string {
  return step.replaceAll('~1', '/').replaceAll('~0', '~')
}

const mostValues = 20
