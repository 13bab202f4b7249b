import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { MemoryReplayStore } from '../../../src/server/index.ts'
import { Asker } from '../dispatch/harness.ts'
import { asking } from './asking.ts'

const everything = {
  'io.modelcontextprotocol/clientCapabilities': {
    elicitation: { form: {}, url: {} },
    sampling: {},
    roots: {},
  },
}

class Caller {
  readonly #asker: Asker

  constructor(server: ReturnType<typeof asking>['server']) {
    this.#asker = new Asker(server)
  }

  async call(name: string, retry: JsonObject = {}, meta: JsonObject = everything): Promise<JsonObject> {
    const { result, error } = await this.#asker.modern('tools/call', { name, ...retry }, meta)
    return (result ?? error) as JsonObject
  }

  send(method: string, params: JsonObject): Promise<JsonObject> {
    return this.#asker
      .modern(method, params, everything)
      .then(({ result, error }) => (result ?? error) as JsonObject)
  }
}

const accept = (content: JsonObject) => ({ action: 'accept', content })
const text = (of: string) => ({ resultType: 'complete', content: [{ type: 'text', text: of }] })
const state = ({ requestState }: JsonObject) => ({ requestState })

describe('a handler that asks', () => {
  it('ends its round with the question, and runs again with the answer', async () => {
    const { server, runs } = asking()
    const caller = new Caller(server)
    const first = await caller.call('name')
    expect(first).toEqual({
      resultType: 'input_required',
      inputRequests: {
        'elicitation-1': {
          method: 'elicitation/create',
          params: {
            message: 'What name?',
            requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
          },
        },
      },
      requestState: expect.any(String),
      _meta: expect.any(Object),
    })
    const inputResponses = { 'elicitation-1': accept({ name: 'Ada' }), unknown: 1 }
    expect(await caller.call('name', { ...state(first), inputResponses })).toMatchObject(text('Hello, Ada!'))
    expect(runs).toEqual(['name', 'name'])
  })

  it.each(['decline', 'cancel'])('hears that a person would not: %s', async (action) => {
    const caller = new Caller(asking().server)
    const first = await caller.call('name')
    const inputResponses = { 'elicitation-1': { action } }
    expect(await caller.call('name', { ...state(first), inputResponses })).toMatchObject(
      text(`They would not say: ${action}`),
    )
  })

  it('keeps the answers of earlier rounds in the state, which is another each time', async () => {
    const caller = new Caller(asking().server)
    const first = await caller.call('steps')
    const second = await caller.call('steps', {
      ...state(first),
      inputResponses: { 'elicitation-1': accept({ name: 'Ada' }) },
    })
    expect(Object.keys(second.inputRequests as object)).toEqual(['elicitation-2'])
    expect(second.requestState).not.toBe(first.requestState)
    const last = { ...state(second), inputResponses: { 'elicitation-2': accept({ age: 36 }) } }
    expect(await caller.call('steps', last)).toMatchObject(text('Ada is 36'))
  })

  it('asks at once what it asks at once, and goes on asking for what was left out', async () => {
    const caller = new Caller(asking().server)
    const first = await caller.call('all')
    expect(Object.keys(first.inputRequests as object)).toEqual(['who', 'sampling-1', 'roots-1'])
    const some = { who: accept({ name: 'Ada' }), 'roots-1': { roots: [{ uri: 'file:///a' }] } }
    const second = await caller.call('all', { ...state(first), inputResponses: some })
    expect(Object.keys(second.inputRequests as object)).toEqual(['sampling-1'])
    const rest = { 'sampling-1': { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' } }
    expect(await caller.call('all', { ...state(second), inputResponses: rest })).toMatchObject(
      text('["Ada","m",["file:///a"]]'),
    )
  })

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a number', 7],
    ['no action', {}],
    ['an action that is none', { action: 'maybe' }],
    ['no content', { action: 'accept' }],
    ['content without what is required', accept({ other: 'Ada' })],
    ['content of another type', accept({ name: 7 })],
  ])('asks again when the answer is %s', async (_, response) => {
    const caller = new Caller(asking().server)
    const first = await caller.call('name')
    const again = await caller.call('name', {
      ...state(first),
      inputResponses: { 'elicitation-1': response },
    })
    expect(again).toMatchObject({ resultType: 'input_required', inputRequests: first.inputRequests })
  })

  const said = { role: 'assistant', content: { type: 'text', text: 'x' }, model: 'm' }

  it.each([
    ['no role', { ...said, role: undefined }],
    ['a role that is none', { ...said, role: 'system' }],
    ['no model', { ...said, model: undefined }],
    ['a model that is no name', { ...said, model: { name: 'm' } }],
    ['no content', { ...said, content: undefined }],
    ['content of null', { ...said, content: null }],
    ['content that is bare text', { ...said, content: 'x' }],
    ['text without text', { ...said, content: { type: 'text' } }],
    ['a list that holds anything else', { ...said, content: [said.content, 7] }],
  ])('asks again when a model answers with %s', async (_, response) => {
    const caller = new Caller(asking().server)
    const first = await caller.call('all')
    const rest = { who: accept({ name: 'Ada' }), 'roots-1': { roots: [] } }
    const again = await caller.call('all', {
      ...state(first),
      inputResponses: { ...rest, 'sampling-1': response },
    })
    expect(Object.keys(again.inputRequests as object)).toEqual(['sampling-1'])
  })

  it.each([
    ['one block', said],
    ['many blocks', { ...said, content: [said.content, { type: 'image', data: '', mimeType: 'image/png' }] }],
    ['the wish to use a tool', { ...said, content: { type: 'tool_use', id: '1', name: 'a', input: {} } }],
    ['members nobody knows', { ...said, role: 'user', stopReason: 'endTurn', more: 1 }],
  ])('goes on when a model answers with %s', async (_, response) => {
    const caller = new Caller(asking().server)
    const first = await caller.call('all')
    const inputResponses = { who: accept({ name: 'Ada' }), 'roots-1': { roots: [] }, 'sampling-1': response }
    expect(await caller.call('all', { ...state(first), inputResponses })).toMatchObject(
      text('["Ada","m",[]]'),
    )
  })

  it('does not get past its question by catching', async () => {
    const { server, runs } = asking()
    expect(await new Caller(server).call('stubborn')).toMatchObject({ resultType: 'input_required' })
    expect(runs).toEqual(['stubborn'])
  })

  it('may be a prompt or a resource', async () => {
    const caller = new Caller(asking().server)
    for (const [method, params, expected] of [
      ['prompts/get', { name: 'ask' }, { messages: [{ content: { text: 'About cats' } }] }],
      ['resources/read', { uri: 'ask://7' }, { contents: [{ text: '7: cats' }] }],
    ] as const) {
      const first = await caller.send(method, params)
      expect(first).toMatchObject({ resultType: 'input_required' })
      expect(first).not.toHaveProperty('ttlMs')
      const inputResponses = { 'elicitation-1': accept({ topic: 'cats' }) }
      expect(await caller.send(method, { ...params, ...state(first), inputResponses })).toMatchObject(
        expected,
      )
    }
  })

  it.each([
    ['name', { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    ['page', { elicitation: {} }, { elicitation: { url: {} } }],
    ['all', { elicitation: {} }, { sampling: {} }],
  ])(
    'is an error where the client did not declare what %s needs',
    async (name, declared, requiredCapabilities) => {
      const meta = { 'io.modelcontextprotocol/clientCapabilities': declared }
      expect(await new Caller(asking().server).call(name, {}, meta)).toMatchObject({
        code: -32021,
        data: { requiredCapabilities },
      })
    },
  )
})

describe('a request state', () => {
  const answered = { inputResponses: { 'elicitation-1': accept({ name: 'Ada' }) } }
  const refused = { code: -32602, message: expect.stringContaining('requestState') }

  it('that was changed anywhere is refused', async () => {
    const caller = new Caller(asking().server)
    const sealed = String((await caller.call('name')).requestState)
    const flip = (index: number) =>
      sealed.slice(0, index) + (sealed[index] === 'A' ? 'B' : 'A') + sealed.slice(index + 1)
    const changed = [`${sealed}-TAMPERED`, `${sealed}A`, sealed.slice(0, -1), '', 7, {}]
    const flipped = Array.from({ length: Math.min(60, sealed.length) }, (_, step) =>
      flip(Math.floor((step * sealed.length) / 60)),
    )
    for (const requestState of [...changed, ...flipped])
      expect(await caller.call('name', { requestState, ...answered })).toMatchObject(refused)
    expect(await caller.call('name', { requestState: sealed, ...answered })).toMatchObject(
      text('Hello, Ada!'),
    )
  })

  it('is taken once, unless its author says otherwise', async () => {
    const once = new Caller(asking().server)
    const often = new Caller(asking({ replayStore: false }).server)
    for (const [caller, outcome] of [
      [once, refused],
      [often, text('Hello, Ada!')],
    ] as const) {
      const retry = { ...state(await caller.call('name')), ...answered }
      expect(await caller.call('name', retry)).toMatchObject(text('Hello, Ada!'))
      expect(await caller.call('name', retry)).toMatchObject(outcome)
    }
  })

  it('is good for its own call only', async () => {
    const caller = new Caller(asking().server)
    const { requestState } = await caller.call('name')
    expect(await caller.call('steps', { requestState, ...answered })).toMatchObject(refused)
    expect(await caller.call('name', { requestState, arguments: { x: 1 } })).toMatchObject(refused)
  })

  it('is good where the secret and the store are the same, and nowhere else', async () => {
    const stateSecret = 'a secret of sixteen and more'
    const shared = { stateSecret, replayStore: new MemoryReplayStore() }
    const [one, other, foreign] = [asking(shared), asking(shared), asking()].map(
      ({ server }) => new Caller(server),
    )
    const retry = { ...state((await one?.call('name')) ?? {}), ...answered }
    expect(await foreign?.call('name', retry)).toMatchObject(refused)
    expect(await other?.call('name', retry)).toMatchObject(text('Hello, Ada!'))
    expect(await one?.call('name', retry)).toMatchObject(refused)
  })

  it('shows a client nothing of what is in it', async () => {
    const caller = new Caller(asking().server)
    const first = await caller.call('steps')
    const inputResponses = { 'elicitation-1': accept({ name: 'Ada Lovelace' }) }
    const { requestState } = await caller.call('steps', { ...state(first), inputResponses })
    expect(Buffer.from(String(requestState), 'base64url').toString('latin1')).not.toContain('Lovelace')
  })

  it('refuses responses that are no object', async () => {
    expect(await new Caller(asking().server).call('name', { inputResponses: [] })).toMatchObject({
      code: -32602,
    })
  })
})
