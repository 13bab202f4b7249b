import { isObject, type JsonObject } from './json-rpc.ts'

/** The body of an answer to `elicitation/create`. `content` only for accepted forms. Source: client/elicitation. */
export interface ElicitResult {
  readonly action: 'accept' | 'decline' | 'cancel'
  readonly content?: { readonly [field: string]: string | number | boolean | readonly string[] }
}

/** Fills the fields an accepted form left out with their schema's defaults (I-03). Anything but an accepted form is returned as it is. */
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
