import { flag, oneOf } from '../../check-options.ts'
import { nearest } from '../../nearest.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { isStandardSchema } from './standard-schema.ts'

/** The short form of an input schema: one entry a parameter. Anything else in an entry is JSON Schema. */
export interface Params {
  readonly [name: string]: Param
}

export interface Param {
  readonly type: 'string' | 'number' | 'integer' | 'boolean' | 'array' | 'object'
  readonly description?: string
  /** Default false. */
  readonly required?: boolean
  readonly [keyword: string]: unknown
}

/** What a handler gets for such parameters. */
export type ParamValues<Of extends Params> = {
  readonly [Name in keyof Of as Of[Name]['required'] extends true ? Name : never]: ParamValue<
    Of[Name]['type']
  >
} & {
  readonly [Name in keyof Of as Of[Name]['required'] extends true ? never : Name]?: ParamValue<
    Of[Name]['type']
  >
}

type ParamValue<Type> = Type extends 'string'
  ? string
  : Type extends 'number' | 'integer'
    ? number
    : Type extends 'boolean'
      ? boolean
      : Type extends 'array'
        ? readonly unknown[]
        : JsonObject

/** What is wrong with what was given as parameters; undefined: nothing. */
export function paramsComplaint(given: unknown): string | undefined {
  if (isStandardSchema(given)) return 'is a schema: give it as inputSchema'
  if (!isObject(given)) return 'must be an object of parameters'
  for (const [name, param] of Object.entries(given)) {
    const complaint = paramComplaint(param)
    if (complaint) return `has a bad ${name}: ${complaint}`
  }
  return undefined
}

function paramComplaint(param: unknown): string | undefined {
  if (!isObject(param) || isStandardSchema(param))
    return "must be an object such as { type: 'string', required: true }"
  const { type, required = false } = param
  const complaint = types(type)
  if (complaint) return `type ${complaint}`
  if (flag(required)) return `required ${flag(required)}`
  // Any keyword may stand there, so that a slip would make it optional unseen.
  const slip = Object.keys(param).find((key) => key !== 'required' && nearest(key, ['required']))
  return slip && `${slip} is no keyword; did you mean required?`
}

const types = oneOf('string', 'number', 'integer', 'boolean', 'array', 'object')

/** Parameters as JSON Schema; what is not named is refused. */
export function schemaOfParams(params: Params): JsonObject {
  const entries = Object.entries(params)
  const required = entries.filter(([, param]) => param.required === true).map(([name]) => name)
  const properties = Object.fromEntries(
    entries.map(([name, { required: _required, ...property }]) => [name, property]),
  )
  return {
    type: 'object',
    ...(entries.length > 0 && { properties }),
    ...(required.length > 0 && { required }),
    additionalProperties: false,
  }
}
