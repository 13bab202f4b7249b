import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { toolsFor } from '../../../src/index.ts'
import { formatNames, publishOne } from './harness.ts'

const object = (properties: object, rest: object = {}) => ({ type: 'object', properties, ...rest })
const deepList = Array.from({ length: 50_000 }).reduce<unknown[]>((inner) => [inner], [])
const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false })

/** Schemas as servers send them, each refused by some vendor, with arguments that are valid under it. */
const nasty: readonly (readonly [string, unknown, object])[] = [
  ['no schema', undefined, {}],
  ['null', null, { a: 1 }],
  ['true', true, { a: 1 }],
  ['a text', 'object', {}],
  ['an empty schema', {}, { a: 1 }],
  ['no properties', { type: 'object' }, { a: 1 }],
  ['no type', { properties: { a: { type: 'string' } } }, { a: 'x' }],
  ['required null', object({ a: {} }, { required: null }), {}],
  ['an undeclared requirement', object({ a: {} }, { required: ['b'] }), { b: 1 }],
  ['anyOf at the root', { anyOf: [object({ a: { type: 'string' } }), object({ b: {} })] }, { a: 5, b: 1 }],
  [
    'oneOf beside properties',
    object({ a: {}, b: {} }, { oneOf: [{ required: ['a'] }, { required: ['b'] }] }),
    { b: 1 },
  ],
  ['allOf at the root', { allOf: [object({ a: {} }), object({ b: {} }, { required: ['b'] })] }, { b: 1 }],
  ['a $ref at the root', { $ref: '#/$defs/x', $defs: { x: object({ a: {} }) } }, { a: 1 }],
  [
    'definitions',
    object({ a: { $ref: '#/definitions/x' } }, { definitions: { x: { type: 'string' } } }),
    { a: 'x' },
  ],
  [
    'a tree',
    { $ref: '#/$defs/t', $defs: { t: object({ t: { $ref: '#/$defs/t' } }) } },
    { t: { t: { t: { t: {} } } } },
  ],
  ['a reference to nowhere', object({ a: { $ref: 'https://example.com/x.json' } }), { a: 1 }],
  ['a reference to itself', object({ a: { $ref: '#/properties/a' } }), { a: 1 }],
  ['draft 4 bounds', object({ a: { type: 'integer', minimum: 0, exclusiveMinimum: true } }), { a: 1 }],
  ['exclusive bounds', object({ a: { type: 'number', exclusiveMinimum: 0 } }), { a: 0.5 }],
  ['a const', object({ a: { const: 'x' } }), { a: 'x' }],
  ['an enum of numbers', object({ a: { type: 'integer', enum: [1, 2] } }), { a: 2 }],
  ['an enum with null', object({ a: { type: ['string', 'null'], enum: ['x', null] } }), { a: null }],
  ['an enum with the empty text', object({ a: { enum: ['', 'x'] } }), { a: '' }],
  ['a list of types', object({ a: { type: ['string', 'integer'], minLength: 2, minimum: 3 } }), { a: 3 }],
  ['an unknown type', object({ a: { type: 'any' } }), { a: 1 }],
  ['boolean schemas', object({ a: true, b: false }), { a: 1 }],
  ['a property without a schema', object({ a: null, b: 'text', c: [] }), { a: 1, b: 1, c: 1 }],
  ['a list without items', object({ a: { type: 'array' } }), { a: [1] }],
  ['a tuple of old', object({ a: { type: 'array', items: [{ type: 'string' }] } }), { a: ['x', 1] }],
  ['a broken pattern', object({ a: { type: 'string', pattern: '[' } }), { a: 'x' }],
  ['a pattern with lookahead', object({ a: { type: 'string', pattern: '^(?!y)' } }), { a: 'x' }],
  ['a pattern with \\p', object({ a: { type: 'string', pattern: '^\\p{L}$' } }), { a: 'é' }],
  ['a format', object({ a: { type: 'string', format: 'uri' } }), { a: 'x:y' }],
  [
    'patternProperties',
    object({}, { patternProperties: { '^x': {} }, additionalProperties: false }),
    { x1: 1 },
  ],
  ['not', object({ a: { not: { type: 'string', pattern: '(?=x)' } } }), { a: 'y' }],
  ['names with spaces', object({ 'a b': {}, 'filter[x]': {}, a_b: {} }, { required: ['a b'] }), { 'a b': 1 }],
  ['references that multiply', bomb(), {}],
  ['deep nesting', nested(60), {}],
  ['endless nesting', nested(20_000), {}],
  [
    'a name of every prototype',
    JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"}}}'),
    {},
  ],
]

/** Each with a property of its own. */
const many = (branch: object, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    ...branch,
    properties: { [`p${index}`]: { type: 'string' }, all: { const: index } },
  }))

const withoutAll = ({ properties: { all: _, ...properties }, ...rest }: ReturnType<typeof many>[number]) => ({
  ...rest,
  properties,
})

describe.each(formatNames)('for %s', (format) => {
  it.each(nasty)('%s is repaired', (_, given, valid) => {
    const warnings: string[] = []
    const repaired = publishOne(format, given, warnings)
    expect(repaired).toMatchObject({ type: 'object', properties: {} })
    expect(repaired).not.toHaveProperty('anyOf')
    expect(repaired).not.toHaveProperty('oneOf')
    expect(repaired).not.toHaveProperty('allOf')
    expect(JSON.stringify(repaired)).not.toContain('"$ref"')
    expect(ajv.compile(repaired ?? false)(valid), JSON.stringify(repaired)).toBe(true)
    const again: string[] = []
    expect(publishOne(format, repaired, again)).toEqual(repaired)
    for (const warning of warnings) expect(warning).toMatch(`${format}: The tool tool was changed: `)
  })

  it.each([
    ['false', false],
    ['a text for arguments', { type: 'string' }],
    ['a union without objects', { anyOf: [{ type: 'string' }, { type: 'array' }] }],
    ['a list of values nested too deep to be sent', object({ a: { enum: [deepList] } })],
    ['a contradiction', { allOf: [{ type: 'object' }, { type: 'string' }] }],
  ])('a tool whose schema is %s is left out, named, and takes no other with it', (_, parameters) => {
    const warnings: string[] = []
    const declarations = ['bad', 'good'].map((name) => ({
      type: 'function' as const,
      function: { name, description: '', parameters: name === 'bad' ? parameters : object({ a: {} }) },
    }))
    const { tools } = toolsFor(format, declarations as never, { onWarn: (text) => warnings.push(text) })
    expect(JSON.stringify(tools)).toContain('good')
    expect(JSON.stringify(tools)).not.toContain('bad')
    expect(warnings).toEqual([expect.stringMatching(`^${format}: The tool bad was left out: `)])
  })

  it('a tool without a name, or with that of another, is left out', () => {
    const warnings: string[] = []
    const named = (name: unknown) => ({
      type: 'function',
      function: { name, description: '', parameters: object({}) },
    })
    const given = [named('a'), named('a'), named(''), named(7), { type: 'function' }, null]
    toolsFor(format, given as never, { onWarn: (text) => warnings.push(text) })
    expect(warnings.filter((warning) => warning.includes('left out'))).toHaveLength(5)
  })

  it.each([
    ['alternatives', (branch: object, index: number) => ({ anyOf: many(branch, index) })],
    ['parts', (branch: object, index: number) => ({ allOf: many(branch, index).map(withoutAll) })],
  ])('more %s than can be merged in time become wider', (_, schemaOf) => {
    const schema = schemaOf({ type: 'object' }, 4_000)
    const warnings: string[] = []
    const repaired = publishOne(format, schema, warnings)
    expect(ajv.compile(repaired ?? false)({ p0: 'x', p3999: 'x' })).toBe(true)
    expect(warnings).toEqual([expect.stringContaining('was changed')])
  })

  it('ten thousand names that begin alike are told apart in time', () => {
    const names = Array.from({ length: 10_000 }, (_, index) => `${'é'.repeat(80)}${index}`)
    const declarations = names.map((name) => ({
      type: 'function' as const,
      function: { name, description: '', parameters: object({}) },
    }))
    expect(new Set(toolsFor(format, declarations).names.keys()).size).toBe(10_000)
  })

  it('a warning stays short, however long what it is about', () => {
    const warnings: string[] = []
    publishOne(format, object({ a: { $ref: `#/${'a/'.repeat(100_000)}` } }), warnings)
    expect(warnings.join().length).toBeLessThan(1_000)
  })

  it('a schema that it takes as it is stays so, without a warning', () => {
    const warnings: string[] = []
    const fine = object(
      {
        a: { type: 'string', description: 'A text' },
        b: { type: 'array', items: { type: 'integer', minimum: 0 } },
      },
      { required: ['a'], additionalProperties: false },
    )
    expect(publishOne(format, fine, warnings)).toEqual(fine)
    expect(warnings).toEqual([])
  })
})

describe('what a vendor cannot be told in its schema', () => {
  it('stands in a description', () => {
    const given = object({
      when: { type: 'string', format: 'date', description: 'The day' },
      n: { enum: [1, 2] },
    })
    expect(publishOne('gemini', given)).toEqual(
      object({
        when: { type: 'string', description: 'The day (format: date)' },
        n: { type: 'integer', description: 'one of 1, 2' },
      }),
    )
  })

  it('is said with the keywords it has', () => {
    const given = object({
      above: { type: 'integer', exclusiveMinimum: 0 },
      kind: { const: 'x' },
      maybe: { type: ['string', 'null'], description: 'Or nothing' },
    })
    expect(publishOne('gemini', given)).toEqual(
      object({
        above: { type: 'integer', minimum: 1 },
        kind: { type: 'string', enum: ['x'] },
        maybe: { description: 'Or nothing', anyOf: [{ type: 'string' }, { type: 'null' }] },
      }),
    )
  })

  it('of alternatives at the root, keeps the discriminator and what all of them need', () => {
    const shape = (kind: string, own: object) =>
      object(
        { kind: { const: kind }, id: { type: 'string' }, ...own },
        { required: ['kind', 'id', ...Object.keys(own)] },
      )
    const given = { oneOf: [shape('circle', { radius: { type: 'number' } }), shape('square', { side: {} })] }
    expect(publishOne('anthropic', given)).toEqual(
      object(
        {
          kind: { enum: ['circle', 'square'] },
          id: { type: 'string' },
          radius: { description: 'usually {"type":"number"}' },
          side: {},
        },
        { required: ['kind', 'id'], description: 'needs one of: radius; side' },
      ),
    )
  })
})

/** A schema so many objects deep. */
function nested(levels: number): object {
  let schema: object = { type: 'string' }
  for (let level = 0; level < levels; level += 1) schema = object({ a: schema })
  return schema
}

/** Two to the thirtieth of schemas, once its references are followed. */
function bomb(): object {
  const twice = (level: number) => ({ allOf: [{ $ref: `#/$defs/d${level}` }, { $ref: `#/$defs/d${level}` }] })
  const levels = Array.from({ length: 30 }, (_, level) => [`d${level}`, level === 29 ? {} : twice(level + 1)])
  return { type: 'object', ...twice(0), $defs: Object.fromEntries(levels) }
}
