import { describe, expect, it } from 'vitest'
import { ConfigError, Reasons, reasonParam, type ToolDeclaration } from '../../src/index.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { call, Toolkit } from './registry/provider.ts'

/** A toolkit whose one tool takes what `parameters` says. */
class OneTool extends Toolkit {
  readonly parameters: JsonObject

  constructor(parameters: JsonObject) {
    super('tool')
    this.parameters = parameters
  }

  override async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    return (await super.toolsForLlm()).map((tool) => ({
      ...tool,
      function: { ...tool.function, parameters: this.parameters },
    }))
  }
}

async function declaredBy(provider: Reasons): Promise<JsonObject | undefined> {
  return (await provider.toolsForLlm())[0]?.function.parameters
}

const path = { type: 'string' }
const own = { type: 'string', description: 'why the invoice was refused' }

describe('a tool', () => {
  it.each([
    [{ type: 'object', properties: { path }, required: ['path'], additionalProperties: false }],
    [{ type: 'object' }],
    [{}],
    [{ type: 'object', properties: { nested: { type: 'object', properties: { reason: own } } } }],
    [{ type: 'object', anyOf: [{ required: ['path'] }, { required: ['url'] }] }],
  ])('that takes %j gets an optional reason, which its server never sees', async (parameters: JsonObject) => {
    const inner = new OneTool(parameters)
    const reasons = new Reasons({ provider: inner })
    const declared = await declaredBy(reasons)
    expect(declared).toMatchObject({ ...parameters, properties: { reason: { type: 'string' } } })
    expect(declared?.required).toEqual(parameters.required)
    await reasons.executeToolCalls([
      call('tool', { path: 'x', reason: 'to see' }),
      call('tool', '{"path":"y","reason":7}'),
    ])
    expect(inner.batches[0]?.map((call) => call.function.arguments)).toEqual([{ path: 'x' }, { path: 'y' }])
  })

  it.each([
    [{ type: 'object', properties: { reason: own } }],
    [{ type: 'object', required: ['reason'] }],
    [{ type: 'object', oneOf: [{ properties: { path } }, { properties: { reason: own } }] }],
    [{ type: 'object', allOf: [{ anyOf: [{ required: ['reason'] }] }] }],
    [{ type: 'object', if: { properties: { reason: own } } }],
    [{ type: 'object', dependentSchemas: { path: { properties: { reason: own } } } }],
    [{ $ref: '#/$defs/refusal', $defs: { refusal: { properties: { reason: own } } } }],
  ])('that takes %j, maybe a reason of its own, is left alone both ways', async (parameters) => {
    const inner = new OneTool(parameters)
    const reasons = new Reasons({ provider: inner })
    expect(await declaredBy(reasons)).toBe(parameters)
    const refused = call('tool', { reason: 'overdrawn' })
    await reasons.executeToolCalls([refused])
    expect(inner.batches[0]?.[0]).toBe(refused)
  })
})

describe('a call', () => {
  it('without a reason goes down as it is, and so do the options, and what comes back', async () => {
    const inner = new OneTool({})
    const reasons = new Reasons({ provider: inner })
    await reasons.toolsForLlm()
    const calls = [call('tool', { path: 'x' })]
    const options = { claim: 'me' }
    const results = await reasons.executeToolCalls(calls, options)
    expect(inner.batches[0]?.[0]).toBe(calls[0])
    expect(inner.options[0]).toBe(options)
    expect(results).toMatchObject([{ tool_call_id: calls[0]?.id, content: 'tool was run' }])
  })

  it('keeps everything but its reason', async () => {
    const inner = new OneTool({})
    const reasons = new Reasons({ provider: inner })
    const given = { ...call('tool', '{"__proto__":1,"path":"x","reason":"to see"}'), meta: { trace: 1 } }
    await reasons.executeToolCalls([given])
    const [sent] = inner.batches[0] ?? []
    expect(sent).toMatchObject({ id: given.id, meta: { trace: 1 } })
    expect(Object.keys(sent?.function.arguments ?? {})).toEqual(['__proto__', 'path'])
    expect(given.function.arguments).toContain('to see')
  })

  it('loses its reason also when nothing was listed before', async () => {
    const inner = new OneTool({})
    await new Reasons({ provider: inner }).executeToolCalls([call('tool', { reason: 'to see' })])
    expect(inner.batches[0]?.[0]?.function.arguments).toEqual({})
  })

  it('of a tool that is not listed, or cannot be, keeps it', async () => {
    const inner = new OneTool({})
    const reasons = new Reasons({ provider: inner })
    await reasons.executeToolCalls([call('another', { reason: 'mine' })])
    const unlisted = new OneTool({})
    unlisted.toolsForLlm = () => Promise.reject(new Error('no list'))
    await new Reasons({ provider: unlisted }).executeToolCalls([call('tool', { reason: 'mine' })])
    for (const { batches } of [inner, unlisted])
      expect(batches[0]?.[0]?.function.arguments).toEqual({ reason: 'mine' })
  })

  it.each([[null], [{ id: '1', function: { name: 'tool', arguments: '{"reason":' } }], ['text']])(
    'that is malformed (%j) is for what is below to answer',
    async (malformed) => {
      const inner = new OneTool({})
      inner.executeToolCalls = async (calls) => {
        expect(calls).toEqual([malformed])
        return []
      }
      expect(await new Reasons({ provider: inner }).executeToolCalls([malformed as never])).toEqual([])
    },
  )
})

it('passes on the events of what is below', () => {
  const inner = new Toolkit()
  const heard: unknown[] = []
  new Reasons({ provider: inner }).on?.('catalogue', (event) => heard.push(event))
  inner.tell('catalogue', { path: ['x'] })
  expect(heard).toEqual([{ path: ['x'] }])
})

it('names its argument, and refuses bad options', () => {
  expect(reasonParam).toBe('reason')
  expect(() => new Reasons({} as never)).toThrow(ConfigError)
  expect(() => new Reasons({ provider: {} } as never)).toThrow(ConfigError)
})
