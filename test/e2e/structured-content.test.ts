import { describe, expect, it } from 'vitest'
import { connect, failureOf, fixture, hostings, textOf } from './harness.ts'
import { legacyScripted, result, scripted, tools } from './scripted.ts'

const draft07 = 'http://json-schema.org/draft-07/schema#'
const weather = { type: 'object', properties: { celsius: { type: 'number' } }, required: ['celsius'] }
const answering = (structuredContent: unknown, more = {}) =>
  result({ content: [], structuredContent, ...more })
const good = { celsius: 20 }
const bad = { celsius: 'warm' }

/** A server with one tool that promises one thing and answers another. */
const promising = (outputSchema: unknown, answer: ReturnType<typeof result>) =>
  scripted({ 'tools/list': [[tools({ name: 'weather', outputSchema })]], 'tools/call': [[answer]] })

describe.each(hostings)('structured content (%s)', (hosting) => {
  it.each(['modern', 'legacy'] as const)('of a %s server is held to what its tool promised', async (era) => {
    const { client } = connect({ ...fixture('modern'), hosting, era })
    await client.listTools()
    const { structuredContent } = await client.callTool('typed')
    expect(structuredContent).toEqual({ celsius: 21.5, sky: 'clear' })
    expect(await failureOf(client.callTool('typed_wrong'))).toMatchObject({
      name: 'InvalidResultError',
      code: 'INVALID_RESULT',
      method: 'tools/call',
      message: expect.stringContaining('typed_wrong breaks its own outputSchema: structuredContent/celsius'),
    })
  })

  it('is not checked before the tools were listed', async () => {
    const { client } = connect({ ...fixture('modern'), hosting })
    const { structuredContent } = await client.callTool('typed_wrong')
    expect(structuredContent).toEqual({ celsius: 'warm' })
  })
})

describe('structured content', () => {
  it.each([
    ['an object', weather, good],
    ['a list', { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['null', { type: 'null' }, null],
    ['false', { type: 'boolean' }, false],
    ['a number, by a schema of draft 7', { $schema: draft07, type: 'number', exclusiveMinimum: 0 }, 0.5],
    ['anything, by an empty schema', {}, 'text'],
    ['a tuple, as 2020-12 has them', { prefixItems: [{ type: 'string' }], items: false }, ['a']],
  ])('may be %s', async (_, schema, content) => {
    const { client } = connect(promising(schema, answering(content)))
    await client.listTools()
    const answer = await client.callTool('weather')
    expect(answer).toEqual({ content: [], structuredContent: content })
  })

  it.each([
    ['is of another type', weather, answering(bad), 'structuredContent/celsius must be number'],
    ['is null', weather, answering(null), 'structuredContent must be object'],
    ['is missing', weather, result({ content: [] }), 'without structuredContent'],
    ['breaks draft 7', { $schema: draft07, type: 'number' }, answering('0'), 'must be number'],
    ['is too long a tuple', { prefixItems: [{}], items: false }, answering([1, 2]), 'must NOT have more'],
  ])('that %s is refused', async (_, schema, answer, reason) => {
    const { client } = connect(promising(schema, answer))
    await client.listTools()
    expect(await failureOf(client.callTool('weather'))).toMatchObject({
      name: 'InvalidResultError',
      message: expect.stringContaining(reason),
    })
  })

  it('of a failure is not checked', async () => {
    const { client } = connect(promising(weather, answering(bad, { isError: true })))
    await client.listTools()
    expect(await client.callTool('weather')).toMatchObject({ isError: true, structuredContent: bad })
  })

  it('alone is enough of an answer', async () => {
    const { client } = connect(promising(weather, result({ structuredContent: good })))
    await client.listTools()
    expect(await client.callTool('weather')).toEqual({ content: [], structuredContent: good })
  })

  it('is checked after a question too', async () => {
    const asking = result({ resultType: 'input_required', requestState: 's' })
    const { client } = connect(
      scripted({
        'tools/list': [[tools({ name: 'weather', outputSchema: weather })]],
        'tools/call': [[asking], [answering(bad)]],
      }),
    )
    await client.listTools()
    expect(await failureOf(client.callTool('weather'))).toMatchObject({ name: 'InvalidResultError' })
  })

  it('is held to what was listed last', async () => {
    const strict = tools({ name: 'weather', outputSchema: weather })
    const { client } = connect(
      scripted({
        'tools/list': [[tools({ name: 'weather' })], [strict], [tools({ name: 'weather' })]],
        'tools/call': [[answering(bad)]],
      }),
    )
    const outcomes = []
    for (const _listing of [1, 2, 3]) {
      await client.listTools()
      outcomes.push(
        await client.callTool('weather').then(
          () => 'taken',
          () => 'refused',
        ),
      )
    }
    expect(outcomes).toEqual(['taken', 'refused', 'taken'])
  })

  it('of an old server that knows no schemas is taken as it is', async () => {
    const { client } = connect(
      legacyScripted('2024-11-05', {
        'tools/list': [[tools({ name: 'weather' })]],
        'tools/call': [[answering(bad)]],
      }),
    )
    await client.listTools()
    expect(await client.callTool('weather')).toMatchObject({ structuredContent: bad })
  })
})

describe('a schema that cannot be used', () => {
  it.each([
    ['that is none', { type: 'strange' }],
    ['with a pattern that is none', { type: 'string', pattern: '(' }],
    ['of another dialect', { $schema: 'https://json-schema.org/draft/2019-09/schema', type: 'object' }],
    ['elsewhere', { $ref: 'https://example.com/schema.json' }],
  ])('(%s) is named in a warning, once', async (_, schema) => {
    const { client, warnings } = connect(promising(schema, answering(bad)))
    await client.listTools()
    for (const _again of [1, 2])
      expect(await client.callTool('weather')).toMatchObject({ structuredContent: bad })
    expect(warnings.all).toEqual([expect.stringContaining('results of weather go unchecked')])
  })

  it.each(hostings)(
    'in any reasonable time neither holds up nor takes down anybody else (%s)',
    async (hosting) => {
      const text = `${'a'.repeat(60)}!`
      const neighbour = connect({ ...fixture('echo'), hosting })
      await neighbour.client.era()
      const endless = { type: 'string', pattern: '^(a+)+$' }
      const { client, warnings } = connect({
        ...promising(endless, result({ content: [], structuredContent: text })),
        hosting,
      })
      await client.listTools()
      for (const _again of [1, 2])
        expect(await client.callTool('weather')).toMatchObject({ structuredContent: text })
      expect(warnings.all).toEqual([expect.stringContaining('results of this server go unchecked')])
      expect(textOf(await neighbour.client.callTool('echo', { text: 'still here' }))).toBe('still here')
    },
  )
})
