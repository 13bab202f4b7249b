import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { compileJsonSchema } from './json-schema.ts'
import { isStandardSchema, issueText, jsonSchemaOf, type StandardSchema } from './standard-schema.ts'

/** A value that fits, as its reader is to have it, or what is wrong with it. */
export type Fit = { readonly value: unknown } | { readonly complaints: readonly string[] }

/** A schema both ways: as it is listed, and as a check. */
export interface PreparedSchema {
  readonly listed: JsonObject
  readonly fit: (value: unknown) => Fit | Promise<Fit>
}

/** Reads what an author gave as a schema; a complaint when it is none. Everything is compiled here, nothing on a call. */
export function prepareSchema(
  given: unknown,
): { readonly schema: PreparedSchema } | { readonly complaint: string } {
  if (isStandardSchema(given)) return prepareStandard(given)
  if (!isObject(given))
    return { complaint: 'must be JSON Schema, or a schema of a library that implements Standard Schema' }
  try {
    const check = compileJsonSchema(given)
    const fit = (value: unknown): Fit => {
      const complaints = check(value)
      return complaints ? { complaints } : { value }
    }
    return { schema: { listed: given, fit } }
  } catch (error) {
    return { complaint: `is no valid JSON Schema: ${thrownMessage(error)}` }
  }
}

function prepareStandard(
  given: StandardSchema,
): { readonly schema: PreparedSchema } | { readonly complaint: string } {
  const written = jsonSchemaOf(given)
  if ('complaint' in written) return written
  const fit = async (value: unknown): Promise<Fit> => {
    const result = await given['~standard'].validate(value)
    return result.issues ? { complaints: result.issues.slice(0, 3).map(issueText) } : { value: result.value }
  }
  return { schema: { listed: written.schema, fit } }
}
