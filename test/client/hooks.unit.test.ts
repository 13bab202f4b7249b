import { describe, expect, it } from 'vitest'
import { type Hooks, McpClient } from '../../src/index.ts'
import { FakeTransport } from '../../src/testing/index.ts'
import { deferred } from '../model/deferred.ts'

const done = { content: [] }
const form = {
  message: 'Who?',
  requestedSchema: { properties: { name: { type: 'string', default: 'Ada' } } },
}
const questions = {
  who: { method: 'elicitation/create', params: form },
  think: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 5 } },
  where: { method: 'roots/list' },
}
const asks = { resultType: 'input_required', inputRequests: questions, requestState: 's' }
const sampled = { role: 'assistant', content: { type: 'text', text: 'hm' }, model: 'm' } as const
const roots = { roots: [{ uri: 'file:///home' }] }

const all: Hooks = {
  onElicit: () => ({ action: 'accept' }),
  onSample: async () => sampled,
  onListRoots: () => roots,
}
const broken = () => {
  throw new Error('oops')
}

/** What the server gets to each of its questions, as a modern one hears it and as a legacy one does. */
async function answers(hooks: Hooks) {
  const warned: string[] = []
  const onWarn = (message: string) => void warned.push(message)
  const modern = FakeTransport.modern({ answers: { 'tools/call': [asks, done] } })
  const mcp = McpClient.connectStdio({ transport: modern, onWarn, ...hooks })
  await mcp.callTool('ask')
  const retried = modern.sentOf('tools/call')[1]
  await mcp.close()
  const legacy = FakeTransport.legacy()
  const old = McpClient.connectStdio({ transport: legacy, ...hooks })
  await old.era()
  const told = await Promise.all(
    Object.entries(questions).map(async ([key, question]) => [key, await legacy.ask(question)] as const),
  )
  await old.close()
  const outcome = ([key, { result, error }]: (typeof told)[number]) => [
    key,
    result ?? (error as { code: number }).code,
  ]
  return { modern: retried?.params.inputResponses, legacy: Object.fromEntries(told.map(outcome)), warned }
}

describe('the hooks of a host', () => {
  it('answer what they are asked, in either era, forms completed', async () => {
    const expected = { who: { action: 'accept', content: { name: 'Ada' } }, think: sampled, where: roots }
    expect(await answers(all)).toEqual({ modern: expected, legacy: expected, warned: [] })
  })

  it.each<[string, object]>([
    ['a form without a message', { ...questions.who, params: { ...form, message: undefined } }],
    [
      'a form that is none',
      { ...questions.who, params: { message: 'Who?', requestedSchema: { properties: 5 } } },
    ],
    [
      'a field that is no schema',
      { ...questions.who, params: { message: '', requestedSchema: { properties: { a: 1 } } } },
    ],
    [
      'messages that are none',
      { ...questions.think, params: { messages: [{ role: 'user', content: 'hi' }], maxTokens: 5 } },
    ],
    [
      'a wish of the wrong type',
      { ...questions.think, params: { messages: [], maxTokens: 5, temperature: 'hot' } },
    ],
    ['no limit', { ...questions.think, params: { messages: [] } }],
  ])('are not asked what their types rule out: %s', async (_, question) => {
    const warned: string[] = []
    const transport = FakeTransport.legacy()
    const mcp = McpClient.connectStdio({
      transport,
      onElicit: () => expect.fail('was asked'),
      onSample: () => expect.fail('was asked'),
      onWarn: (message) => void warned.push(message),
    })
    await mcp.era()
    await transport.ask(question as { method: string })
    expect(warned).toEqual([expect.stringContaining('the server asked something malformed')])
    await mcp.close()
  })

  it('that throw decline, with a warning', async () => {
    const { modern, legacy, warned } = await answers({
      onElicit: broken,
      onSample: broken,
      onListRoots: broken,
    })
    expect(modern).toEqual({ who: { action: 'decline' }, where: { roots: [] } })
    expect(legacy).toEqual({ who: { action: 'decline' }, think: -1, where: { roots: [] } })
    expect(warned).toHaveLength(3)
    for (const message of warned) expect(message).toContain('oops')
  })

  it('that return nonsense decline', async () => {
    const nonsense = (() => 'yes') as never
    const { modern, legacy } = await answers({
      onElicit: nonsense,
      onSample: nonsense,
      onListRoots: nonsense,
    })
    expect(modern).toEqual({ who: { action: 'decline' }, where: { roots: [] } })
    expect(legacy).toEqual({ who: { action: 'decline' }, think: -1, where: { roots: [] } })
  })

  it('that are not there decline where the protocol embeds questions, and are refused where it does not', async () => {
    const { modern, legacy } = await answers({})
    expect(modern).toEqual({ who: { action: 'decline' }, where: { roots: [] } })
    expect(legacy).toEqual({ who: -32602, think: -32601, where: -32601 })
  })

  it('are what is declared', () => {
    const declared = (hooks: Hooks) => {
      const mcp = McpClient.connectStdio({ transport: FakeTransport.modern(), ...hooks })
      void mcp.close()
      return mcp.declaredCapabilities
    }
    expect(declared({})).toEqual({})
    expect(declared({ onSample: broken })).toEqual({ sampling: {} })
    expect(declared(all)).toEqual({ elicitation: { form: {} }, sampling: {}, roots: {} })
  })

  it('get the question, and a signal that aborts when the answer is not wanted any more', async () => {
    const asked = deferred<{ readonly method: string; readonly signal: AbortSignal }>()
    const transport = FakeTransport.modern({ answers: { 'tools/call': [asks, done] } })
    const mcp = McpClient.connectStdio({
      transport,
      onElicit: ({ method, params }, { signal }) => {
        expect(params).toEqual(form)
        asked.resolve({ method, signal })
        return new Promise(() => {})
      },
    })
    const abort = new AbortController()
    const call = mcp.callTool('ask', {}, { signal: abort.signal })
    const { method, signal } = await asked.promise
    expect([method, signal.aborted, mcp.state.value]).toEqual([
      'elicitation/create',
      false,
      { modern: 'inputRequired' },
    ])
    const withdrawn = new Promise((resolve) => signal.addEventListener('abort', resolve))
    abort.abort()
    await expect(call).rejects.toThrow('was cancelled')
    await withdrawn
    await mcp.close()
  })

  it('are withdrawn when the client is closed', async () => {
    const asked = deferred<AbortSignal>()
    const transport = FakeTransport.legacy()
    const mcp = McpClient.connectStdio({
      transport,
      onListRoots: (_question, { signal }) => {
        asked.resolve(signal)
        return new Promise(() => {})
      },
    })
    await mcp.era()
    void transport.ask({ method: 'roots/list' })
    const signal = await asked.promise
    await mcp.close()
    expect(signal.aborted).toBe(true)
  })
})
