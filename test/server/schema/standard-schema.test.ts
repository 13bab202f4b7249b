import { toStandardJsonSchema } from '@valibot/to-json-schema'
import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import * as z from 'zod'
import { McpServer, type StandardSchema } from '../../../src/server/index.ts'
import { Asker } from '../dispatch/harness.ts'

interface Trip {
  readonly city: string
  readonly days: number
}

/** The same arguments in each library: a city, trimmed, and days, 3 unless they are given. */
const trips: { readonly [library: string]: StandardSchema<unknown, Trip> } = {
  zod: z.object({
    city: z.string().min(2).trim().describe('Where to'),
    days: z.int().min(1).max(30).default(3),
  }),
  valibot: toStandardJsonSchema(
    v.object({
      city: v.pipe(
        v.string(),
        v.description('Where to'),
        v.minLength(2),
        v.transform((city) => city.trim()),
      ),
      days: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(30)), 3),
    }),
  ),
  arktype: type({
    city: type('string >= 2')
      .describe('Where to')
      .pipe((city) => city.trim()),
    days: '1 <= number.integer <= 30 = 3',
  }),
}

const reading = { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] }
const readings: { readonly [library: string]: StandardSchema } = {
  zod: z.object({ celsius: z.number() }),
  valibot: toStandardJsonSchema(v.object({ celsius: v.number() })),
  arktype: type({ celsius: 'number' }),
}

/** A server with one tool, and what it answers to a call of it. */
function planner(inputSchema: StandardSchema<unknown, Trip>) {
  const server = new McpServer({ name: 'planner' })
  server.tool('plan', { inputSchema }, ({ city, days }) => `${days} days in ${city}.`)
  const client = new Asker(server)
  const list = async () => Object(await client.modern('tools/list')).result.tools[0]
  const plan = async (args: object) =>
    Object(await client.modern('tools/call', { name: 'plan', arguments: args })).result
  return { list, plan }
}

describe.each(Object.entries(trips))('arguments by %s', (library, schema) => {
  it('are listed as what a caller may send', async () => {
    const { inputSchema } = await planner(schema).list()
    expect(inputSchema).toMatchObject({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 2, description: 'Where to' },
        days: { type: 'integer', minimum: 1, maximum: 30 },
      },
      required: ['city'],
    })
  })

  it('reach the handler as the schema makes them', async () => {
    const { plan } = planner(schema)
    expect(await plan({ city: ' Oslo ' })).toMatchObject({ content: [{ text: '3 days in Oslo.' }] })
    expect(await plan({ city: 'Rome', days: 1 })).toMatchObject({ content: [{ text: '1 days in Rome.' }] })
  })

  it('that do not fit are answered with where, and why', async () => {
    const { plan } = planner(schema)
    const { isError, content } = await plan({ city: 'X', days: 'many' })
    expect(isError).toBe(true)
    expect(content[0].text).toMatch(/^The arguments do not fit the parameters of plan: /)
    expect(content[0].text).toMatch(/city.*; .*days/)
    expect(content[0].text.length).toBeLessThan(300)
  })

  it('and results, which are checked too', async () => {
    const server = new McpServer({ name: 'thermometer' })
    const params = { celsius: { type: 'number' } } as const
    server.tool('read', { params, outputSchema: readings[library] }, (structuredContent) => ({
      structuredContent,
    }))
    const client = new Asker(server)
    const read = (args: object) => client.modern('tools/call', { name: 'read', arguments: args })
    expect(await client.modern('tools/list')).toMatchObject({
      result: { tools: [{ outputSchema: reading }] },
    })
    expect(await read({ celsius: 7 })).toMatchObject({ result: { structuredContent: { celsius: 7 } } })
    expect(await read({})).toMatchObject({
      result: { isError: true, content: [{ text: expect.stringContaining('broke its own outputSchema') }] },
    })
  })
})

it('may be checked asynchronously', async () => {
  const known = z.string().refine(async (city) => city === 'Oslo', 'is on no map')
  const { plan } = planner(z.object({ city: known, days: z.number().default(1) }))
  expect(await plan({ city: 'Oslo' })).toMatchObject({ content: [{ text: '1 days in Oslo.' }] })
  expect(await plan({ city: 'Olso' })).toMatchObject({
    isError: true,
    content: [{ text: 'The arguments do not fit the parameters of plan: city: is on no map' }],
  })
})

const wordless: StandardSchema = {
  '~standard': {
    version: 1,
    vendor: 'odd',
    validate: (value) => ({ value }),
    jsonSchema: {
      input: () => {
        throw Symbol('odd')
      },
    },
  },
}

it.each([
  ['another', wordless, 'cannot be written as JSON Schema: Symbol(odd)'],
  ['valibot', v.object({ city: v.string() }), 'cannot be written as JSON Schema; wrap it'],
  ['valibot', toStandardJsonSchema(v.object({ city: v.pipe(v.string(), v.trim()) })), 'The "trim" action'],
  ['zod', z.object({ when: z.date() }), 'cannot be written as JSON Schema: Date'],
] as const)(
  'of %s that nobody could list are refused when they are registered',
  (_, inputSchema, complaint) => {
    const server = new McpServer({ name: 'strict' })
    expect(() => server.tool('a', { inputSchema: inputSchema as StandardSchema }, () => '')).toThrow(
      complaint,
    )
  },
)
