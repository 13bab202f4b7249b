import type { JsonObject } from '../../protocol/json-rpc.ts'

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
