import { describe, expect, it } from 'vitest'
import { InputLoopExceededError } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { failureOf, textOf } from '../harness.ts'
import { Heard } from '../heard.ts'
import { type BareExchange, said } from './bare.ts'
import { connect } from './harness.ts'
import { modern } from './modern.ts'

const isCall = ({ name }: BareExchange) => name === 'tools/call'
const who = { action: 'accept', content: { who: 'Ada' } } as const
const question = {
  method: 'elicitation/create',
  params: { message: 'Who?', requestedSchema: { type: 'object', properties: {} } },
}
const asks = (requestState: string, inputRequests: JsonObject = { who: question }): JsonObject => ({
  resultType: 'input_required',
  inputRequests,
  requestState,
})

describe('a call that is asked something over HTTP', () => {
  it('is sent again as a request of its own, with what was asked and the state byte for byte', async () => {
    const state = 'ä🎭 \\u0000 "quoted" \n'
    const server = await modern({
      'tools/call': [
        (exchange) => exchange.answer(asks(state)),
        (exchange) => exchange.stream().answer(asks('second')).end(),
        (exchange) => exchange.answer(said(JSON.stringify(exchange.params.inputResponses))),
      ],
    })
    const { client } = connect(server, { url: server.url, onElicit: () => who })
    expect(textOf(await client.callTool('greet', { loud: true }))).toBe(JSON.stringify({ who }))
    const calls = server.seen.filter(isCall)
    expect(calls.map(({ params }) => [params.requestState, params.arguments])).toEqual([
      [undefined, { loud: true }],
      [state, { loud: true }],
      ['second', { loud: true }],
    ])
    expect(new Set(calls.map(({ message }) => message.id)).size).toBe(3)
    expect(calls.map(({ headers }) => headers['mcp-name'])).toEqual(Array(3).fill('greet'))
    expect(client.state.value).toEqual({ modern: 'ready' })
  })

  it('lets others pass while it waits, and is shown to wait', async () => {
    const server = await modern({
      'tools/call': (exchange) => {
        const isAsked = exchange.tool === 'ask' && exchange.params.inputResponses === undefined
        exchange.answer(isAsked ? asks('s') : said(`${exchange.tool} was called`))
      },
    })
    const opened = new Heard<() => void>()
    const onElicit = () =>
      new Promise<typeof who>((resolve) => {
        opened.hear(() => resolve(who))
      })
    const { client } = connect(server, { url: server.url, onElicit })
    const asking = client.callTool('ask')
    const answer = await opened.first(() => true)
    expect(textOf(await client.callTool('other'))).toBe('other was called')
    expect(client.state.value).toEqual({ modern: 'inputRequired' })
    answer()
    expect(textOf(await asking)).toBe('ask was called')
  })

  it('that is given up while it waits is not sent again', async () => {
    const server = await modern({ 'tools/call': (exchange) => exchange.answer(asks('s')) })
    const withdrawn = new Heard<unknown>()
    const opened = new Heard<string>()
    const onElicit = (_: unknown, { signal }: { readonly signal: AbortSignal }) => {
      signal.addEventListener('abort', withdrawn.hear)
      opened.hear('asked')
      return new Promise<typeof who>(() => {})
    }
    const { client } = connect(server, { url: server.url, onElicit })
    const abort = new AbortController()
    const call = failureOf(client.callTool('ask', {}, { signal: abort.signal }))
    await opened.first(() => true)
    abort.abort()
    expect(await call).toMatchObject({ name: 'CancelledError' })
    await withdrawn.first(() => true)
    expect(server.count('tools/call')).toBe(1)
  })

  it('that is given up while it is retried ends that exchange', async () => {
    const server = await modern({
      'tools/call': [(exchange) => exchange.answer(asks('s')), () => undefined],
    })
    const { client } = connect(server, { url: server.url, onElicit: () => who })
    const abort = new AbortController()
    const call = failureOf(client.callTool('ask', {}, { signal: abort.signal }))
    const retry = await server.exchange(isCall, 1)
    abort.abort()
    expect(await call).toMatchObject({ name: 'CancelledError' })
    await retry.left
  })

  it('whose retry is lost fails, and is not tried a third time', async () => {
    const server = await modern({
      'tools/call': [(exchange) => exchange.answer(asks('s')), ({ response }) => response.destroy()],
    })
    const { client } = connect(server, { url: server.url, onElicit: () => who })
    expect(await failureOf(client.callTool('ask'))).toMatchObject({ name: 'HttpError', status: 0 })
    expect(server.count('tools/call')).toBe(2)
    expect(client.state.value).toEqual({ modern: 'ready' })
  })
})

describe('a call that is asked', () => {
  it('again and again ends after so many rounds', async () => {
    const server = await modern({ 'tools/call': (exchange) => exchange.answer(asks('more')) })
    const { client } = connect(server, { url: server.url, onElicit: () => who, maxInputRounds: 3 })
    const failure = await failureOf(client.callTool('ask'))
    expect(failure).toBeInstanceOf(InputLoopExceededError)
    expect(failure).toMatchObject({ method: 'tools/call', rounds: 3 })
    expect(server.count('tools/call')).toBe(4)
  })

  it('only to keep a state is sent again with nothing else', async () => {
    const server = await modern({
      'tools/call': [
        (exchange) => exchange.answer({ resultType: 'input_required', requestState: 'kept' }),
        (exchange) => exchange.answer(said(JSON.stringify(exchange.params.requestState))),
      ],
    })
    const { client } = connect(server, { url: server.url })
    expect(textOf(await client.callTool('park'))).toBe('"kept"')
    expect(server.seen.filter(isCall)[1]?.params).not.toHaveProperty('inputResponses')
  })

  it('for a resource or a prompt goes the same way', async () => {
    const route = (result: JsonObject) => (exchange: BareExchange) =>
      exchange.answer(exchange.params.inputResponses ? result : asks('s'))
    const server = await modern({
      'resources/read': route({ contents: [{ uri: 'a:///b', text: 'read' }] }),
      'prompts/get': route({ messages: [] }),
    })
    const { client } = connect(server, { url: server.url, onElicit: () => who })
    expect(await client.readResource('a:///b')).toMatchObject({ contents: [{ text: 'read' }] })
    expect(await client.getPrompt('p')).toEqual({ messages: [] })
    expect([server.count('resources/read'), server.count('prompts/get')]).toEqual([2, 2])
  })
})
