import type { ValidateFunction } from 'ajv'
import { isObject, type JsonObject } from '../../src/protocol/json-rpc.ts'
import { thrownMessage } from '../../src/thrown-message.ts'
import type { Warnings } from '../../src/warnings.ts'
import { OutOfTimeError, withinTime } from './within-time.ts'

const draft07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/

/** No honest check of 64 MiB takes as long; a dishonest one stops its thread for so long, once. */
const checkWithinMs = 1_000
/** What may make a check longer than schema and content together. */
const mayMultiply = /"(?:pattern|patternProperties|uniqueItems|\$ref|\$dynamicRef|\$recursiveRef)":/
const shortSchemaChars = 16 * 1024
const shortContentChars = 256 * 1024

interface Check {
  readonly validate: ValidateFunction
  /** Whether content that is short is checked in a short time, whatever it is. */
  readonly isShort: boolean
}

/**
 * The output schemas of the tools listed so far, and the check of `structuredContent` against them.
 * A schema is compiled once, when the first result needs it; one that cannot be used warns and checks nothing. After one that
 * takes too long nothing of its server is checked any more.
 */
export class OutputSchemas {
  readonly #warnings: Warnings
  #schemas: ReadonlyMap<string, JsonObject> = new Map()
  readonly #checks = new WeakMap<JsonObject, Promise<Check | undefined>>()
  #trust: 'checking' | 'givenUp' = 'checking'

  constructor(warnings: Warnings) {
    this.#warnings = warnings
  }

  learn(tools: readonly JsonObject[]): void {
    const schemas = new Map<string, JsonObject>()
    for (const { name, outputSchema } of tools) {
      if (typeof name !== 'string' || !isObject(outputSchema)) continue
      const known = this.#schemas.get(name)
      // The one that was compiled, if it is the same.
      schemas.set(name, known && isSame(known, outputSchema) ? known : outputSchema)
    }
    this.#schemas = schemas
  }

  schemaOf(tool: string | undefined): JsonObject | undefined {
    return tool === undefined || this.#trust === 'givenUp' ? undefined : this.#schemas.get(tool)
  }

  /**
   * What is wrong with a result of that tool, or undefined. `size` is the length of its text, as far as that is known. Errors of
   * the tool (`isError`) are never checked.
   */
  async complaint(
    tool: string,
    schema: JsonObject,
    result: JsonObject,
    size = Number.POSITIVE_INFINITY,
  ): Promise<string | undefined> {
    if (result.isError === true) return undefined
    if (!Object.hasOwn(result, 'structuredContent'))
      return `${tool} declares an outputSchema but answered without structuredContent`
    const check = await this.#check(tool, schema)
    if (!check || this.#isValid(tool, schema, check, result.structuredContent, size)) return undefined
    const problems = (check.validate.errors ?? []).map(
      ({ instancePath, message }) => `structuredContent${instancePath} ${message}`,
    )
    return `${tool} breaks its own outputSchema: ${problems.slice(0, 3).join('; ')}`
  }

  #check(tool: string, schema: JsonObject): Promise<Check | undefined> {
    const known = this.#checks.get(schema)
    if (known) return known
    const compiling = compile(schema).catch((error: unknown) => this.#giveUp(tool, error))
    this.#checks.set(schema, compiling)
    return compiling
  }

  #isValid(tool: string, schema: JsonObject, check: Check, content: unknown, size: number): boolean {
    const { validate, isShort } = check
    try {
      const isSurelyShort = isShort && size <= shortContentChars
      return isSurelyShort ? validate(content) : withinTime(checkWithinMs, () => validate(content))
    } catch (error) {
      // Too long, or a schema that refers to itself without end: that compiles, and then exhausts the stack.
      this.#checks.set(schema, Promise.resolve(this.#giveUp(tool, error)))
      return true
    }
  }

  #giveUp(tool: string, error: unknown): undefined {
    if (error instanceof OutOfTimeError) this.#trust = 'givenUp'
    const whose = this.#trust === 'givenUp' ? 'this server' : tool
    this.#warnings.warn(
      'an outputSchema cannot be used',
      `results of ${whose} go unchecked: ${thrownMessage(error)}`,
    )
  }
}

function isSame(one: JsonObject, other: JsonObject): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

async function compile(schema: JsonObject): Promise<Check> {
  const compiled = await compiler(schema)
  const text = JSON.stringify(schema)
  const validate = withinTime(checkWithinMs, compiled)
  return { validate, isShort: text.length <= shortSchemaChars && !mayMultiply.test(text) }
}

/** Loaded when first needed: most connections never validate. 2020-12 unless `$schema` says draft 6 or 7. `format` is an annotation. */
async function compiler(schema: JsonObject): Promise<() => ValidateFunction> {
  // Ajv's own keyword: such a schema would be checked by a promise, which rejects.
  if (schema.$async) throw new Error('$async is no keyword of JSON Schema')
  const options = { strict: false, validateFormats: false, logger: false, ownProperties: true } as const
  const isDraft07 = typeof schema.$schema === 'string' && draft07.test(schema.$schema)
  if (isDraft07) {
    const { Ajv } = await import('ajv')
    const { $schema: _dialect, ...rest } = schema
    return () => new Ajv(options).compile(rest)
  }
  const { Ajv2020 } = await import('ajv/dist/2020.js')
  return () => new Ajv2020(options).compile(schema)
}
