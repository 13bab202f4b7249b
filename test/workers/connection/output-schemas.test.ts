import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { Warnings } from '../../../src/warnings.ts'
import { OutputSchemas } from '../../../workers/connection/output-schemas.ts'

function schemasOf(outputSchema: unknown) {
  const warned: string[] = []
  const schemas = new OutputSchemas(new Warnings((message) => warned.push(message)))
  schemas.learn([{ name: 'tool', outputSchema }, { name: 'plain' }])
  const check = (result: JsonObject) => {
    const schema = schemas.schemaOf('tool')
    if (!schema) throw new Error('No schema was learnt')
    return schemas.complaint('tool', schema, result)
  }
  return { schemas, check, warned }
}

const object = { type: 'object', properties: { n: { type: 'integer' } }, required: ['n'] }

describe('structured content', () => {
  it('that fits is fine, and one that does not is named with its place', async () => {
    const { check } = schemasOf(object)
    expect(await check({ structuredContent: { n: 1 } })).toBeUndefined()
    expect(await check({ structuredContent: { n: 'x' } })).toBe(
      'tool breaks its own outputSchema: structuredContent/n must be integer',
    )
    expect(await check({ structuredContent: {} })).toContain("must have required property 'n'")
  })

  it('may be any JSON value a schema allows, null and false too: presence counts', async () => {
    const { check } = schemasOf({ type: ['null', 'boolean', 'array'] })
    for (const structuredContent of [null, false, []])
      expect(await check({ structuredContent })).toBeUndefined()
    expect(await check({ content: [] })).toBe(
      'tool declares an outputSchema but answered without structuredContent',
    )
  })

  it('is not asked of a tool that failed', async () => {
    const { check } = schemasOf(object)
    expect(await check({ isError: true, content: [] })).toBeUndefined()
    expect(await check({ isError: true, structuredContent: 'odd' })).toBeUndefined()
  })
})

describe('an output schema', () => {
  it.each([
    ['2020-12 without $schema', { type: 'array', prefixItems: [{ type: 'integer' }] }],
    [
      '2020-12 by name',
      {
        $schema: 'https://json-schema.org/draft/2020-12/schema',
        type: 'array',
        prefixItems: [{ type: 'integer' }],
      },
    ],
    [
      'draft-07',
      { $schema: 'http://json-schema.org/draft-07/schema#', type: 'array', items: [{ type: 'integer' }] },
    ],
    [
      'draft-06',
      { $schema: 'http://json-schema.org/draft-06/schema', type: 'array', items: [{ type: 'integer' }] },
    ],
  ])('is checked in its own dialect: %s', async (_name, schema) => {
    const { check, warned } = schemasOf(schema)
    expect(await check({ structuredContent: [1, 'x'] })).toBeUndefined()
    expect(await check({ structuredContent: ['x'] })).toContain('structuredContent/0 must be integer')
    expect(warned).toEqual([])
  })

  it('takes format and unknown keywords for annotations', async () => {
    const { check, warned } = schemasOf({ type: 'string', format: 'email', 'x-hint': 1 })
    expect(await check({ structuredContent: 'no mail' })).toBeUndefined()
    expect(warned).toEqual([])
  })

  it.each([
    ['another dialect', { $schema: 'http://json-schema.org/draft-04/schema#', type: 'object' }],
    ['a broken type', { type: 'nonsense' }],
    ['a reference to nowhere', { $ref: '#/$defs/gone' }],
    ['a reference to the network', { $ref: 'https://example.com/schema.json' }],
    ['an asynchronous one', { $async: true, type: 'object' }],
    ['one that refers to itself without end', { $ref: '#' }],
  ])('that cannot be used warns once and checks nothing: %s', async (_name, schema) => {
    const { check, warned } = schemasOf(schema)
    expect(await check({ structuredContent: 5 })).toBeUndefined()
    expect(await check({ structuredContent: 5 })).toBeUndefined()
    expect(warned).toHaveLength(1)
    expect(warned[0]).toContain('results of tool go unchecked')
  })

  const aa = `${'a'.repeat(60)}!`
  const doubling = Object.fromEntries(
    Array.from({ length: 60 }, (_, n) => [
      `d${n}`,
      { allOf: [{ $ref: `#/$defs/d${n + 1}` }, { $ref: `#/$defs/d${n + 1}` }] },
    ]),
  )
  it.each([
    ['a pattern', { type: 'string', pattern: '^(a+)+$' }, aa],
    ['a pattern without nested quantifiers', { type: 'string', pattern: '^(a|a)*$' }, aa],
    ['a pattern of names', { patternProperties: { '^(a+)+$': {} } }, { [aa]: 1 }],
    ['a pattern with a look-ahead', { properties: { s: { pattern: '^(?=(a+)+$).*$' } } }, { s: aa }],
    ['references that double', { $ref: '#/$defs/d0', $defs: { ...doubling, d60: {} } }, 1],
    ['items that must differ', { uniqueItems: true }, Array.from({ length: 200_000 }, (_, n) => [n])],
  ])(
    'that takes ages is stopped, and nothing is checked after it: %s',
    async (_name, schema, structuredContent) => {
      const { schemas, check, warned } = schemasOf(schema)
      expect(await check({ structuredContent })).toBeUndefined()
      expect(warned).toEqual([
        expect.stringMatching(/results of this server go unchecked: it takes longer than/),
      ])
      schemas.learn([{ name: 'another', outputSchema: object }])
      expect(schemas.schemaOf('another')).toBeUndefined()
    },
  )

  it('with an ordinary pattern is checked', async () => {
    const { check, warned } = schemasOf({ properties: { id: { type: 'string', pattern: '^[a-z]+-\\d+$' } } })
    expect(await check({ structuredContent: { id: 'ab-12' } })).toBeUndefined()
    expect(await check({ structuredContent: { id: '12' } })).toContain(
      'structuredContent/id must match pattern',
    )
    expect(warned).toEqual([])
  })

  it('is compiled again only if it changed', () => {
    const { schemas } = schemasOf(object)
    schemas.learn([{ name: 'tool', outputSchema: structuredClone(object) }])
    expect(schemas.schemaOf('tool')).toBe(object)
    schemas.learn([{ name: 'tool', outputSchema: { ...object, title: 'new' } }])
    expect(schemas.schemaOf('tool')).toMatchObject({ title: 'new' })
  })

  it('is what the tools listed last say', () => {
    const { schemas } = schemasOf(object)
    expect(schemas.schemaOf('plain')).toBeUndefined()
    expect(schemas.schemaOf(undefined)).toBeUndefined()
    schemas.learn([{ name: 'plain', outputSchema: object }])
    expect(schemas.schemaOf('tool')).toBeUndefined()
    expect(schemas.schemaOf('plain')).toBe(object)
  })

  it('that is no object is none', () => {
    expect(schemasOf(true).schemas.schemaOf('tool')).toBeUndefined()
  })

  it('with an $id can be used by two tools', async () => {
    const warned: string[] = []
    const schemas = new OutputSchemas(new Warnings((message) => warned.push(message)))
    const one = { $id: 'https://example.com/s', type: 'integer' }
    const two = { $id: 'https://example.com/s', type: 'string' }
    expect(await schemas.complaint('one', one, { structuredContent: 1 })).toBeUndefined()
    expect(await schemas.complaint('two', two, { structuredContent: 'x' })).toBeUndefined()
    expect(warned).toEqual([])
  })
})
