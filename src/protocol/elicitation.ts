import { isObject, type JsonObject } from './json-rpc.ts'

/** The server wants a person asked. Source: client/elicitation; schema `ElicitRequest`. */
export interface ElicitRequest {
  readonly method: 'elicitation/create'
  readonly params: ElicitRequestParams
}

export type ElicitRequestParams = ElicitRequestFormParams | ElicitRequestURLParams

/** Something to fill in. */
export type ElicitRequestFormParams = {
  readonly mode?: 'form'
  readonly message: string
  /** Each property is a JSON Schema of one string, number or boolean, or a choice. */
  readonly requestedSchema: {
    readonly type?: 'object'
    readonly properties: { readonly [field: string]: JsonObject }
    readonly required?: readonly string[]
  }
}

/** Somewhere to go to; what happens there the client does not see. */
export type ElicitRequestURLParams = {
  readonly mode: 'url'
  readonly message: string
  readonly url: string
}

/** The body of an answer to `elicitation/create`. `content` only for accepted forms. Source: client/elicitation. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [field: string]: string | number | boolean | readonly string[] }
}

/** Fills the fields an accepted form left out with their schema's defaults. Anything but an accepted form is returned as it is. */
export function applyDefaults(params: JsonObject, answer: JsonObject): JsonObject {
  const properties = isObject(params.requestedSchema) ? params.requestedSchema.properties : undefined
  if (answer.action !== 'accept' || params.mode === 'url' || !isObject(properties)) return answer
  const given = isObject(answer.content) ? answer.content : {}
  const defaults = Object.entries(properties)
    .filter(
      ([field, schema]) => !Object.hasOwn(given, field) && isObject(schema) && schema.default !== undefined,
    )
    .map(([field, schema]) => [field, (schema as JsonObject).default])
  return { ...answer, content: { ...Object.fromEntries(defaults), ...given } }
}
