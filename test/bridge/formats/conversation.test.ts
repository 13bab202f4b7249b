import { toolModelMessageSchema } from 'ai'
import { describe, expect, it } from 'vitest'
import {
  ConfigError,
  callsFrom,
  declarationsFrom,
  type FormatName,
  resultsFor,
  resultsFrom,
  toolsFor,
} from '../../../src/index.ts'
import { formatNames } from './harness.ts'

const args = { path: '/x' }
/** How each vendor's model calls `read` twice, among other things it says. */
const messages = {
  'openai-chat': {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'one', type: 'function', function: { name: 'read', arguments: JSON.stringify(args) } },
      { id: 'own', type: 'custom', custom: { name: 'read', input: '' } },
      { id: 'two', type: 'function', function: { name: 'read', arguments: '' } },
    ],
  },
  'openai-responses': {
    output: [
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', call_id: 'one', name: 'read', arguments: JSON.stringify(args) },
      { type: 'function_call', call_id: 'two', name: 'read', arguments: '' },
    ],
  },
  anthropic: {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Reading' },
      { type: 'tool_use', id: 'one', name: 'read', input: args },
      { type: 'server_tool_use', id: 'own', name: 'web_search', input: {} },
      { type: 'tool_use', id: 'two', name: 'read', input: {} },
    ],
  },
  gemini: {
    role: 'model',
    parts: [
      { text: 'Reading' },
      { functionCall: { id: 'one', name: 'read', args } },
      { functionCall: { id: 'two', name: 'read' } },
    ],
  },
  'ai-sdk': {
    role: 'assistant',
    content: [
      { type: 'tool-call', toolCallId: 'one', toolName: 'read', input: args },
      { type: 'tool-call', toolCallId: 'own', toolName: 'search', input: {}, providerExecuted: true },
      { type: 'tool-call', toolCallId: 'two', toolName: 'read', input: {} },
    ],
  },
} as const
const results = [
  { role: 'tool', tool_call_id: 'one', content: 'text', is_error: false },
  { role: 'tool', tool_call_id: 'two', content: 'no such file', is_error: true },
] as const
const forgetsFailure: readonly FormatName[] = ['openai-chat', 'openai-responses']

it.each([
  ['openai-chat', { choices: [{ message: messages['openai-chat'] }] }, /pass its choices\[0\]\.message$/],
  ['gemini', { candidates: [{ content: messages.gemini }] }, /pass its candidates\[0\]\.content$/],
  ['gemini', undefined, /^message: must be an object/],
  ['anthropic', messages.anthropic.content, /^message: must be an object/],
] as const)(
  'a response of %s that is not its message does not pass for one without calls',
  (format, response, reason) => {
    const message = response as object
    expect(() => callsFrom(format, message)).toThrow(reason)
    expect(() => resultsFor(format, [], message)).toThrow(ConfigError)
  },
)

describe.each(formatNames)('a conversation with %s', (format) => {
  it('has the calls of the message, and of nothing else in it', () => {
    const calls = callsFrom(format, messages[format])
    expect(calls.map(({ id, function: { name } }) => [id, name])).toEqual([
      ['one', 'read'],
      ['two', 'read'],
    ])
    const [first] = calls
    const given = first?.function.arguments
    expect(typeof given === 'string' ? JSON.parse(given) : given).toEqual(args)
    expect([{}, '']).toContainEqual(calls[1]?.function.arguments)
  })

  it('goes on with the results, and has them back', () => {
    const appended = resultsFor(format, results, messages[format])
    const failed = !forgetsFailure.includes(format)
    expect(resultsFrom(format, appended)).toEqual([results[0], { ...results[1], is_error: failed }])
    expect(resultsFor(format, [], messages[format])).toEqual([])
  })

  it('takes the result of no call that it has not', () => {
    const foreign = { ...results[0], tool_call_id: 'three' }
    expect(() => resultsFor(format, [foreign], messages[format])).toThrow(/results\.0\.tool_call_id: .*three/)
  })

  it('knows a tool by another name where the vendor cannot take its own', () => {
    const parameters = { type: 'object', properties: { 'a b': { type: 'string' } }, required: ['a b'] }
    const declared = ['1st.tool', '_1st_tool', '1st/tool'].map((name) => ({
      type: 'function' as const,
      function: { name, description: 'A tool', parameters },
    }))
    const warnings: string[] = []
    const { tools, names } = toolsFor(format, declared, { onWarn: (text) => warnings.push(text) })
    expect(declarationsFrom(format, tools, names)).toEqual(declared)
    const shown = declarationsFrom(format, tools)
    expect(new Set(shown.map(({ function: { name } }) => name)).size).toBe(3)
    for (const {
      function: { name, parameters },
    } of shown) {
      expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
      const [argument = ''] = Object.keys(parameters.properties ?? {})
      const call = callsFrom(format, calling(format, name, { [argument]: 'x' }), names)[0]?.function
      expect(declared.map(({ function: { name } }) => name)).toContain(call?.name)
      expect(typeof call?.arguments === 'string' ? JSON.parse(call.arguments) : call?.arguments).toEqual({
        'a b': 'x',
      })
    }
    expect(warnings.join('\n')).toContain('The tool 1st.tool was changed: it is called ')
  })

  it('refuses a call that names no tool', () => {
    expect(() => callsFrom(format, calling(format, '', {}))).toThrow(/must name its tool/)
  })
})

it('with a Gemini that gives no ids makes some, and sends none back', () => {
  const message = {
    parts: [
      { functionCall: { name: 'a' } },
      { functionCall: { id: 'call_1', name: 'b' } },
      { functionCall: { name: 'c' } },
    ],
  }
  const ids = callsFrom('gemini', message).map(({ id }) => id)
  expect(new Set(ids).size).toBe(3)
  expect(ids[1]).toBe('call_1')
  const answered = ids.map((id) => ({
    role: 'tool' as const,
    tool_call_id: id,
    content: id,
    is_error: false,
  }))
  const appended = resultsFor('gemini', answered, message)
  const responses = appended
    .flatMap(({ parts }) => parts)
    .map(({ functionResponse: { id, name } }) => [id, name])
  expect(responses).toEqual([
    [undefined, 'a'],
    ['call_1', 'b'],
    [undefined, 'c'],
  ])
  expect(resultsFrom('gemini', appended)).toEqual(answered)
})

it("with the AI SDK passes the SDK's own check", () => {
  const [message] = resultsFor('ai-sdk', results, messages['ai-sdk'])
  expect(toolModelMessageSchema.parse(message)).toEqual(message)
})

it('in an unknown format is refused, and the known ones are named', () => {
  expect(() => toolsFor('cohere' as never, [])).toThrow(/format: must be one of openai-chat, .*, not cohere/)
})

/** One call of a tool, as the vendor's model would write it. */
function calling(format: FormatName, name: string, input: object): never {
  const text = JSON.stringify(input)
  const shapes = {
    'openai-chat': { tool_calls: [{ id: 'x', type: 'function', function: { name, arguments: text } }] },
    'openai-responses': { output: [{ type: 'function_call', call_id: 'x', name, arguments: text }] },
    anthropic: { content: [{ type: 'tool_use', id: 'x', name, input }] },
    gemini: { parts: [{ functionCall: { name, args: input } }] },
    'ai-sdk': { content: [{ type: 'tool-call', toolCallId: 'x', toolName: name, input }] },
  }
  return shapes[format] as never
}
