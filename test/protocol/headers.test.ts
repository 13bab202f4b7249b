import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { headerValue } from '../../src/protocol/header-values.ts'
import { messageHeaders } from '../../src/protocol/message-headers.ts'
import { paramHeaders, readParamHeaders } from '../../src/protocol/param-headers.ts'
import { jsonObject } from './arbitraries.ts'

const mirrored = (name: string, type: unknown = 'string') => ({ type, 'x-mcp-header': name })
const object = (properties: object) => ({ type: 'object', properties })

/** As a server decodes it. */
function decoded(header: string): string {
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined ? header : Buffer.from(encoded, 'base64').toString('utf8')
}

describe('a header value', () => {
  it.each([
    ['plain text', 'plain text'],
    ['', ''],
    ['~!@#', '~!@#'],
    [' leading', '=?base64?IGxlYWRpbmc=?='],
    ['trailing\t', '=?base64?dHJhaWxpbmcJ?='],
    ['in\tside', '=?base64?aW4Jc2lkZQ==?='],
    ['ü', '=?base64?w7w=?='],
    ['a\nb', '=?base64?YQpi?='],
    ['=?base64?eA==?=', '=?base64?PT9iYXNlNjQ/ZUE9PT89?='],
    ['=?base64?half', '=?base64?half'],
    ['=?BASE64?eA==?=', '=?BASE64?eA==?='],
  ])('of %j is %j', (value, header) => {
    expect(headerValue(value)).toBe(header)
  })

  it('is printable ASCII and decodes to what it was, whatever that was', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (value) => {
        const header = headerValue(value)
        expect(header).toMatch(/^[\x20-\x7e]*$/)
        expect(header.trim()).toBe(header)
        expect(decoded(header)).toBe(value)
      }),
    )
  })
})

describe('the headers of a message', () => {
  const version = '2026-07-28'

  it.each([
    ['tools/call', 'sum', { 'mcp-protocol-version': version, 'mcp-method': 'tools/call', 'mcp-name': 'sum' }],
    [
      'resources/read',
      'ü',
      { 'mcp-protocol-version': version, 'mcp-method': 'resources/read', 'mcp-name': '=?base64?w7w=?=' },
    ],
    ['tools/list', 'ignored', { 'mcp-protocol-version': version, 'mcp-method': 'tools/list' }],
    ['tasks/get', undefined, { 'mcp-protocol-version': version, 'mcp-method': 'tasks/get' }],
  ])('of a modern %s about %s', (method, subject, headers) => {
    expect(messageHeaders({ version, method, subject })).toEqual(headers)
  })

  it('of a legacy one are its version alone, and nothing before that is known', () => {
    const legacy = '2025-06-18'
    expect(messageHeaders({ version: legacy, method: 'tools/call', subject: 'sum' })).toEqual({
      'mcp-protocol-version': legacy,
    })
    expect(messageHeaders({ version: undefined, method: 'initialize' })).toEqual({})
  })

  it('carry mirrored arguments', () => {
    const params = { 'Mcp-Param-City': 'Oslo' }
    expect(messageHeaders({ version, method: 'tools/call', subject: 'a', params })).toMatchObject(params)
  })
})

describe('a schema that annotates headers', () => {
  it('names them, with the way to each argument', () => {
    const schema = object({
      city: mirrored('City'),
      deep: object({ count: mirrored('Count', ['integer', 'null']), on: mirrored('On', 'boolean') }),
      plain: { type: 'string' },
      enum: mirrored('Method'),
    })
    expect(readParamHeaders(schema)).toEqual({
      headers: [
        { name: 'City', path: ['city'] },
        { name: 'Count', path: ['deep', 'count'] },
        { name: 'On', path: ['deep', 'on'] },
        { name: 'Method', path: ['enum'] },
      ],
    })
  })

  it.each([
    ['no header name', object({ a: mirrored('two words') }), /no header name: "two words"/],
    ['an empty name', object({ a: mirrored('') }), /no header name/],
    ['a name that is no text', object({ a: { type: 'string', 'x-mcp-header': 5 } }), /no header name/],
    [
      'a number',
      object({ a: mirrored('A', 'number') }),
      /needs type string, integer or boolean, not "number"/,
    ],
    ['no type', object({ a: { 'x-mcp-header': 'A' } }), /needs type/],
    ['two types', object({ a: mirrored('A', ['string', 'integer']) }), /needs type/],
    ['the same name twice', object({ a: mirrored('City'), b: mirrored('city') }), /names city twice/],
    ['the root', { ...mirrored('A'), type: 'object' }, /at the root is not reached/],
    ['an array’s items', object({ a: { items: mirrored('A') } }), /not reached by properties alone/],
    ['an alternative', { anyOf: [object({ a: mirrored('A') })] }, /not reached by properties alone/],
    ['a condition', { if: object({ a: mirrored('A') }) }, /not reached by properties alone/],
    ['a definition', { $defs: { x: mirrored('A') } }, /not reached by properties alone/],
    ['a pattern', { patternProperties: { '^a': mirrored('A') } }, /not reached by properties alone/],
  ])('is refused for %s', (_name, schema, complaint) => {
    expect(readParamHeaders(schema)).toMatchObject({ complaint: expect.stringMatching(complaint) })
  })

  it('may hold the annotation where it is data', () => {
    const schema = object({ a: { type: 'object', default: mirrored('A'), enum: [mirrored('B')] } })
    expect(readParamHeaders(schema)).toEqual({ headers: [] })
  })

  it('may be nested as deep as it likes: it is refused, not followed for ever', () => {
    let schema: object = mirrored('A')
    for (let depth = 0; depth < 100_000; depth++) schema = object({ a: schema })
    expect(readParamHeaders(schema as never)).toMatchObject({
      complaint: expect.stringContaining('nested deeper'),
    })
  })

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(jsonObject, (schema) => {
        expect(Object.keys(readParamHeaders({ ...schema, properties: schema }))[0]).toMatch(
          /^(headers|complaint)$/,
        )
      }),
    )
  })
})

describe('the headers of one call’s arguments', () => {
  const headers = [
    { name: 'City', path: ['city'] },
    { name: 'Count', path: ['deep', 'count'] },
  ]

  it.each([
    [
      { city: 'Oslo', deep: { count: 3 } },
      { 'Mcp-Param-City': 'Oslo', 'Mcp-Param-Count': '3' },
    ],
    [
      { city: '', deep: { count: -0 } },
      { 'Mcp-Param-City': '', 'Mcp-Param-Count': '0' },
    ],
    [
      { city: 'Tromsø', deep: { count: false } },
      { 'Mcp-Param-City': '=?base64?VHJvbXPDuA==?=', 'Mcp-Param-Count': 'false' },
    ],
    [{ city: null, deep: null }, {}],
    [{ city: {}, deep: { count: 1.5 } }, {}],
    [{ deep: { count: 2 ** 53 } }, {}],
    [undefined, {}],
  ])('%j are %j', (args, expected) => {
    expect(paramHeaders(headers, args)).toEqual(expected)
  })

  it('are no inherited property’s', () => {
    expect(paramHeaders([{ name: 'A', path: ['toString', 'name'] }], {})).toEqual({})
  })
})
