import { describe, expect, it } from 'vitest'
import { memberTexts, typeText } from '../../../src/cli/schema/type-text.ts'

describe('a schema as a type', () => {
  it.each<[schema: unknown, type: string]>([
    [{ type: 'string' }, 'string'],
    [{ type: 'integer' }, 'integer'],
    [{}, 'unknown'],
    [true, 'unknown'],
    [false, 'never'],
    [{ enum: ['a', "b'c", 3, null] }, "'a' | 'b\\'c' | 3 | null"],
    [{ const: 'only' }, "'only'"],
    [{ type: ['string', 'null'] }, 'string | null'],
    [{ anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'string' }] }, 'string | number'],
    [{ allOf: [{ type: 'string' }, { enum: ['a', 'b'] }] }, "string & ('a' | 'b')"],
    [{ type: 'array' }, 'unknown[]'],
    [{ type: 'array', items: { type: 'string' } }, 'string[]'],
    [{ type: 'array', items: { type: ['string', 'number'] } }, '(string | number)[]'],
    [{ type: 'array', items: { enum: ['a | b'] } }, "'a | b'[]"],
    [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
    [{ type: 'object' }, 'object'],
    [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
    [
      { type: 'object', properties: { a: { type: 'string' }, 'b c': {} }, required: ['a'] },
      '{ a: string, "b c"?: unknown }',
    ],
    [{ enum: Array.from({ length: 12 }, (_, index) => index) }, '0 | 1 | 2 | 3 | 4 | 5 | 6 | 7 | 8 | 9 | …'],
    [{ $ref: 'https://example.com/schemas/Person' }, 'Person'],
  ])('%j is %s', (schema, type) => {
    expect(typeText(schema, {})).toBe(type)
  })

  it('follows references inside of the schema, and stops where they go in circles', () => {
    const root = {
      $defs: {
        node: { type: 'object', properties: { next: { $ref: '#/$defs/node' } } },
        self: { $ref: '#/$defs/self' },
      },
    }
    expect(typeText({ $ref: '#/$defs/node' }, root)).toBe('{ next?: { next?: object } }')
    expect(typeText({ $ref: '#/$defs/self' }, root)).toBe('self')
  })
})

describe('the members of a schema', () => {
  it('are marked when they may be left out, with their default where it is short', () => {
    const schema = {
      properties: {
        a: { type: 'string' },
        b: { type: 'string' },
        c: { type: 'integer', default: 3 },
        d: { type: 'string', default: 'x'.repeat(50) },
      },
      required: ['a'],
    }
    expect(memberTexts(schema, schema)).toEqual(['a: string', 'b?: string', 'c: integer = 3', 'd?: string'])
  })
})
