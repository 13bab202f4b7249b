import type { ValidateFunction } from 'ajv'
import { isObject, type JsonObject } from '../../src/protocol/json-rpc.ts'
import { thrownMessage } from '../../src/thrown-message.ts'
import type { Warnings } from './warnings.ts'

const draft07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/

/**
 * The output schemas of the tools listed so far, and the check of `structuredContent` against them (T-07).
 * A schema is compiled once per text, when the first result needs it; one that cannot be used warns and checks nothing.
 */
export class OutputSchemas {
  readonly #warnings: Warnings
  #schemas: ReadonlyMap<string, JsonObject> = new Map()
  readonly #compiled = new Map<string, Promise<ValidateFunction | undefined>>()

  constructor(warnings: Warnings) {
    this.#warnings = warnings
  }

  learn(tools: readonly JsonObject[]): void {
    const schemas = new Map<string, JsonObject>()
    for (const { name, outputSchema } of tools) {
      if (typeof name === 'string' && isObject(outputSchema)) schemas.set(name, outputSchema)
    }
    this.#schemas = schemas
  }

  schemaOf(tool: string | undefined): JsonObject | undefined {
    return tool === undefined ? undefined : this.#schemas.get(tool)
  }

  /** What is wrong with a result of that tool, or undefined. Errors of the tool (`isError`) are never checked. */
  async complaint(tool: string, schema: JsonObject, result: JsonObject): Promise<string | undefined> {
    if (result.isError === true) return undefined
    if (!Object.hasOwn(result, 'structuredContent'))
      return `${tool} declares an outputSchema but answered without structuredContent`
    const validate = await this.#compile(tool, schema)
    if (!validate || this.#isValid(tool, schema, validate, result.structuredContent)) return undefined
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message }) => `structuredContent${instancePath} ${message}`,
    )
    return `${tool} breaks its own outputSchema: ${problems.slice(0, 3).join('; ')}`
  }

  #compile(tool: string, schema: JsonObject): Promise<ValidateFunction | undefined> {
    const text = JSON.stringify(schema)
    const known = this.#compiled.get(text)
    if (known) return known
    const compiling = compile(schema).catch((error: unknown) => this.#giveUp(tool, error))
    this.#compiled.set(text, compiling)
    return compiling
  }

  /** A schema that refers to itself without end compiles, and then exhausts the stack. */
  #isValid(tool: string, schema: JsonObject, validate: ValidateFunction, content: unknown): boolean {
    try {
      return validate(content)
    } catch (error) {
      this.#compiled.set(JSON.stringify(schema), Promise.resolve(this.#giveUp(tool, error)))
      return true
    }
  }

  #giveUp(tool: string, error: unknown): undefined {
    this.#warnings.warn(
      'an outputSchema cannot be used',
      `results of ${tool} go unchecked: ${thrownMessage(error)}`,
    )
  }
}

/** Loaded when first needed: most connections never validate. 2020-12 unless `$schema` says draft 6 or 7. `format` is an annotation. */
async function compile(schema: JsonObject): Promise<ValidateFunction> {
  // Ajv's own keyword: such a schema would be checked by a promise, which rejects.
  if (schema.$async) throw new Error('$async is no keyword of JSON Schema')
  const options = { strict: false, validateFormats: false, logger: false, ownProperties: true } as const
  const isDraft07 = typeof schema.$schema === 'string' && draft07.test(schema.$schema)
  if (isDraft07) {
    const { Ajv } = await import('ajv')
    const { $schema: _dialect, ...rest } = schema
    return new Ajv(options).compile(rest)
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  return new Ajv2020(options).compile(schema)
}
