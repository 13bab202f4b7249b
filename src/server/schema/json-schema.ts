import { Ajv, type ValidateFunction } from 'ajv'
import { Ajv2020 } from 'ajv/dist/2020.js'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { type JsonProblem, problemOf } from './json-problem.ts'

/** What is wrong with a value, in at most three phrases; undefined when nothing is. */
export type JsonCheck = (value: unknown) => readonly string[] | undefined

/**
 * Compiles a JSON Schema: 2020-12, unless its `$schema` is draft 6 or 7. `format` is an annotation; nothing is fetched.
 * @throws Error when it is no valid schema of its dialect, or refers to another document
 */
export function compileJsonSchema(schema: JsonObject): JsonCheck {
  const problemsOf = compileProblems(schema)
  return (value) => {
    const problems = problemsOf(value)
    return problems.length === 0 ? undefined : problems.map(inWords)
  }
}

/** The same, told where: at most three, none for what fits. @throws like it */
export function compileProblems(schema: JsonObject): (value: unknown) => readonly JsonProblem[] {
  const validate = compile(schema)
  return (value) => {
    if (validate(value)) return none
    const problems = validate.errors ?? []
    return problems.slice(0, mostProblems).map((problem) => problemOf(problem, schema))
  }
}

function inWords({ path, reason }: JsonProblem): string {
  return path.length === 0 ? reason : `${path.join('.')} ${reason}`
}

function compile(schema: JsonObject): ValidateFunction {
  // Ajv's own keyword: such a schema would be checked by a promise.
  if (schema.$async) throw new Error('$async is no keyword of JSON Schema')
  const { $schema } = schema
  if ($schema === undefined || (typeof $schema === 'string' && draft2020.test($schema)))
    return compiled(draft2020Compiler(), schema)
  if (typeof $schema !== 'string' || !draft07.test($schema))
    throw new Error(`its dialect is not known here: ${JSON.stringify($schema)}`)
  const { $schema: _dialect, ...rest } = schema
  return compiled(draft07Compiler(), rest)
}

/** Nothing stays behind: two schemas may have the same `$id`. */
function compiled(compiler: Ajv, schema: JsonObject): ValidateFunction {
  try {
    return compiler.compile(schema)
  } finally {
    compiler.removeSchema(schema)
  }
}

/** Made once: that takes longer than most schemas do. */
function once<Value>(make: () => Value): () => Value {
  let made: Value | undefined
  return () => {
    made ??= make()
    return made
  }
}

const none: readonly JsonProblem[] = []
const mostProblems = 3
const draft2020Compiler = once(() => new Ajv2020(options))
const draft07Compiler = once(() => new Ajv(options))
const options = {
  addUsedSchema: false,
  strict: false,
  validateFormats: false,
  logger: false,
  ownProperties: true,
} as const
const draft2020 = /^https?:\/\/json-schema\.org\/draft\/2020-12\/schema#?$/
const draft07 = /^https?:\/\/json-schema\.org\/draft-0[67]\/schema#?$/
