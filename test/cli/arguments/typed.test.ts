import { expect, it } from 'vitest'
import { typeArguments } from '../../../src/cli/arguments/typed.ts'

function typed(schema: object, ...texts: string[]): unknown {
  const given = { values: new Map(), texts: new Map([['key', texts]]) }
  return typeArguments(given, { type: 'object', properties: { key: schema } }).key
}

it.each<[schema: object, text: string, value: unknown]>([
  [{ type: 'string' }, '5', '5'],
  [{ type: 'string' }, 'null', 'null'],
  [{ type: 'number' }, '-1.5e3', -1500],
  [{ type: 'integer' }, '42', 42],
  [{ type: 'integer' }, '4e2', 400],
  [{ type: 'boolean' }, 'false', false],
  [{ type: 'null' }, 'null', null],
  [{ type: 'object' }, '{"a":[1]}', { a: [1] }],
  [{ properties: {} }, '{"a":1}', { a: 1 }],
  [{ type: 'array' }, '[1,"a"]', [1, 'a']],
  [{ type: 'array', items: { type: 'string' } }, 'a,b', ['a,b']],
  [{ type: 'array', items: { type: 'integer' } }, '7', [7]],
  [{ type: 'array' }, '', []],
  [{}, '5', '5'],
  [{ enum: [1, 2, 'three'] }, '2', 2],
  [{ enum: [1, 2, 'three'] }, 'three', 'three'],
  [{ enum: [1, 2] }, '9', '9'],
  [{ const: true }, 'true', true],
])('types %j from %s', (schema, text, value) => {
  expect(typed(schema, text)).toEqual(value)
})

it.each<[schema: object, text: string, value: unknown]>([
  [{ type: ['string', 'null'] }, 'null', null],
  [{ type: ['string', 'null'] }, 'nil', 'nil'],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, '5', 5],
  [{ anyOf: [{ type: 'string' }, { type: 'integer' }] }, '5.5', '5.5'],
  [{ oneOf: [{ type: 'boolean' }, { type: 'number' }] }, 'true', true],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, 'one', 'one'],
  [{ anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] }, '["one"]', ['one']],
  [{ allOf: [{ type: 'number' }, { minimum: 1 }] }, '3', 3],
])('a union %j takes the narrowest type that %s fits', (schema, text, value) => {
  expect(typed(schema, text)).toEqual(value)
})

it('makes an array of a key that is given several times', () => {
  expect(typed({ type: 'array', items: { type: 'number' } }, '1', '2')).toEqual([1, 2])
  expect(typed({ anyOf: [{ type: 'string' }, { type: 'array' }] }, 'a', 'b')).toEqual(['a', 'b'])
  expect(() => typed({ type: 'string' }, 'a', 'b')).toThrow(
    'key is given 2 times, but is no array: it takes one value',
  )
})

it.each<[schema: object, text: string, message: string]>([
  [{ type: 'integer' }, 'three', 'key takes integer, not "three"'],
  [{ type: 'integer' }, '1.5', 'key takes integer, not "1.5"'],
  [{ type: 'integer' }, '9007199254740993', 'key takes integer, not "9007199254740993"'],
  [{ type: 'number' }, '', 'key takes number, not ""'],
  [{ type: 'number' }, '0x10', 'key takes number, not "0x10"'],
  [{ type: 'boolean' }, 'yes', 'key takes boolean, not "yes"'],
  [{ type: 'object' }, '[1]', 'key takes object, not "[1]"'],
  [{ type: 'array', items: { type: 'number' } }, '1,2', 'key takes number, not "1,2"'],
  [{ type: 'array', items: { type: 'string' } }, '[oops', 'key takes string[], not "[oops"'],
  [{ type: ['number', 'boolean'] }, 'x', 'key takes number | boolean, not "x"'],
])('refuses %j from %s by key, type and value', (schema, text, message) => {
  expect(() => typed(schema, text)).toThrow(message)
})

it('leaves a property nobody declared as a string, unless others are declared', () => {
  const given = { values: new Map(), texts: new Map([['x', ['5']]]) }
  expect(typeArguments(given, { type: 'object' })).toEqual({ x: '5' })
  const counts = { type: 'object', additionalProperties: { type: 'integer' } }
  expect(typeArguments(given, counts)).toEqual({ x: 5 })
})

it('follows references and the branches of a schema that is a union itself', () => {
  const given = {
    values: new Map(),
    texts: new Map([
      ['a', ['1']],
      ['b', ['2']],
      ['c', ['3']],
    ]),
  }
  const schema = {
    properties: { a: { $ref: '#/$defs/count' }, c: { $ref: '#/$defs/loop' } },
    anyOf: [{ properties: { b: { type: 'integer' } } }],
    $defs: { count: { type: 'integer' }, loop: { $ref: '#/$defs/loop' } },
  }
  expect(typeArguments(given, schema)).toEqual({ a: 1, b: 2, c: '3' })
})

it('prefers a text to a value of the same key, and leaves other values alone', () => {
  const given = {
    values: new Map<string, unknown>([
      ['a', 'no'],
      ['b', '5'],
    ]),
    texts: new Map([['a', ['1']]]),
  }
  const integers = { properties: { a: { type: 'integer' }, b: { type: 'integer' } } }
  expect(typeArguments(given, integers)).toEqual({ a: 1, b: '5' })
})

it('is not fooled by names every object has', () => {
  const given = {
    values: new Map(),
    texts: new Map([
      ['constructor', ['1']],
      ['__proto__', ['2']],
    ]),
  }
  expect(Object.entries(typeArguments(given, { properties: {} }))).toEqual([
    ['constructor', '1'],
    ['__proto__', '2'],
  ])
})
