import fc from 'fast-check'
import type { JsonObject } from '../../../src/index.ts'

/** Few names and values, so that schemas and instances often meet. */
const names = ['a', 'b', 'c d', '$e'] as const
const name = fc.constantFrom(...names)
const scalar = fc.constantFrom<unknown>(null, true, 0, 1, 2, 5, -1.5, '', 'x', 'xy', '2020-01-01')
const type = fc.constantFrom('string', 'number', 'integer', 'boolean', 'object', 'array', 'null')
const count = fc.integer({ min: 0, max: 3 })
const bound = fc.integer({ min: -1, max: 3 })
const pattern = fc.constantFrom('^x', 'y$', '^(?!y)', '\\p{L}', '^[a-b]$', '(x)\\1')

const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthIdentifier: 'value' },
    { arbitrary: scalar, weight: 3 },
    fc.array(tie('value'), { maxLength: 3, depthIdentifier: 'value' }),
    fc.dictionary(name, tie('value'), { maxKeys: 3, depthIdentifier: 'value' }),
  ),
}))

/** Arguments of a tool. */
export const args = fc.dictionary(name, value, { maxKeys: 4 })

const { schema: anySchema } = fc.letrec<{ schema: unknown }>((tie) => {
  const schema = tie('schema')
  const list = fc.array(schema, { minLength: 1, maxLength: 3 })
  const map = fc.dictionary(name, schema, { maxKeys: 3 })
  const keywords = some({
    $ref: fc.constantFrom('#', '#/$defs/a', '#/$defs/b', '#/$defs/nowhere'),
    type: fc.oneof(type, fc.uniqueArray(type, { minLength: 1, maxLength: 3 })),
    enum: fc.uniqueArray(scalar, { minLength: 1, maxLength: 4, selector: (one) => JSON.stringify(one) }),
    const: scalar,
    description: fc.constant('Says something'),
    format: fc.constantFrom('date', 'date-time', 'uri'),
    pattern,
    minLength: count,
    maxLength: count,
    minimum: bound,
    maximum: bound,
    exclusiveMinimum: bound,
    exclusiveMaximum: bound,
    multipleOf: fc.constantFrom(0.5, 2),
    items: schema,
    prefixItems: list,
    minItems: count,
    maxItems: count,
    uniqueItems: fc.boolean(),
    unevaluatedItems: schema,
    contains: schema,
    minContains: count,
    maxContains: count,
    properties: map,
    patternProperties: fc.dictionary(pattern, schema, { maxKeys: 2 }),
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    required: fc.uniqueArray(name, { maxLength: 2 }),
    minProperties: count,
    maxProperties: count,
    dependentRequired: fc.dictionary(name, fc.uniqueArray(name, { maxLength: 2 }), { maxKeys: 2 }),
    dependentSchemas: map,
    anyOf: list,
    oneOf: list,
    allOf: list,
    not: schema,
    if: schema,
    // A literal key would make a thenable of it.
    ...Object.fromEntries([['then', schema]]),
    else: schema,
  })
  return {
    schema: fc.oneof(
      { maxDepth: 3, depthIdentifier: 'schema' },
      {
        arbitrary: fc.constantFrom<unknown>(true, false, {}, { type: 'string' }, { type: 'object' }),
        weight: 2,
      },
      { arbitrary: keywords, weight: 6 },
    ),
  }
})

/** The parameters of a tool, in any words of JSON Schema 2020-12, with definitions that may refer to themselves. */
export const parameters = fc
  .record({ root: anySchema, a: anySchema, b: anySchema, isTyped: fc.boolean() })
  .map(({ root, a, b, isTyped }): JsonObject => {
    const own = typeof root === 'object' ? root : {}
    return { ...own, ...(isTyped && { type: 'object' }), $defs: { a, b } }
  })

/** A few keywords at a time: all of them together accept nothing. */
function some(keywords: { readonly [keyword: string]: fc.Arbitrary<unknown> }): fc.Arbitrary<object> {
  const entries = Object.entries(keywords).map(([keyword, value]) =>
    value.map((given) => [keyword, given] as const),
  )
  return fc
    .array(fc.oneof(...entries), { minLength: 1, maxLength: 4 })
    .map((chosen) => Object.fromEntries(chosen))
}
