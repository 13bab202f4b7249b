import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { thrownMessage } from '../../thrown-message.ts'

/** What zod, valibot, arktype and others implement: https://standardschema.dev. Only what is used here. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>
    readonly types?: { readonly input: Input; readonly output: Output } | undefined
    /** The JSON Schema extension of the standard; a tool cannot be listed without it. */
    readonly jsonSchema?: { readonly input: (options: { readonly target: 'draft-2020-12' }) => unknown }
  }
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined
}

/** Some are functions: arktype's. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const isHolder = (typeof value === 'object' && value !== null) || typeof value === 'function'
  const standard: unknown = isHolder ? Reflect.get(value, '~standard') : undefined
  return isObject(standard) && typeof standard.validate === 'function'
}

/** The schema as JSON Schema of 2020-12, or why there is none. */
export function jsonSchemaOf(
  schema: StandardSchema,
): { readonly schema: JsonObject } | { readonly complaint: string } {
  const { vendor, jsonSchema } = schema['~standard']
  if (!jsonSchema)
    return {
      complaint: `is a schema of ${vendor} that cannot be written as JSON Schema; wrap it with ${converters.get(vendor) ?? "its vendor's converter to standard JSON Schema"}`,
    }
  try {
    const written = jsonSchema.input({ target: 'draft-2020-12' })
    return isObject(written) ? { schema: written } : { complaint: 'is written as no object of JSON Schema' }
  } catch (error) {
    return { complaint: `cannot be written as JSON Schema: ${thrownMessage(error)}` }
  }
}

const converters = new Map([['valibot', 'toStandardJsonSchema of @valibot/to-json-schema']])

export function issueText({ message, path = [] }: StandardIssue): string {
  const where = path.map((part) => String(typeof part === 'object' ? part.key : part)).join('.')
  return where === '' ? message : `${where}: ${message}`
}
