import { describe, expect, it } from 'vitest'
import { type ElicitResult, InputLoopExceededError, type InputRequest } from '../../src/index.ts'
import { connect, failureOf, fixture, hostings, textOf } from './harness.ts'
import { Heard } from './heard.ts'

const colour = { role: 'assistant', content: { type: 'text', text: 'red' }, model: 'none' } as const
const roots = { roots: [{ uri: 'file:///home/me', name: 'home' }] } as const
const accept = (content: { readonly [field: string]: string }) => ({ action: 'accept', content }) as const
const word = ({ params }: InputRequest) => accept({ word: `<${params.message}>` })

/** The official server asks by `input_required` or, in the legacy era, by requests of its own. */
const eras = ['modern', 'legacy'] as const

describe.each(hostings.flatMap((hosting) => eras.map((era) => ({ hosting, era }))))(
  'a tool that asks on the way, $era ($hosting)',
  (options) => {
    it('is answered: once, twice with its own state going along, and everything at once', async () => {
      const asked: InputRequest[] = []
      const onElicit = (request: InputRequest) => {
        asked.push(request)
        return request.params.message === 'Who are you?'
          ? accept({ name: 'Ada', greeting: 'Hi' })
          : word(request)
      }
      const { client } = connect({
        ...fixture('modern'),
        ...options,
        onElicit,
        onSample: async () => colour,
        onListRoots: () => roots,
      })
      expect(textOf(await client.callTool('ask_name'))).toBe('Hi, Ada!')
      expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?' } }])
      expect(textOf(await client.callTool('ask_twice'))).toBe('<first> <second>')
      const { structuredContent } = await client.callTool('ask_all')
      const form = { action: 'accept', content: { name: 'Ada', greeting: 'Hi' } }
      expect(structuredContent).toMatchObject({ form, sample: colour, roots })
      expect(client.state.value).toEqual({ [options.era]: 'ready' })
    })
  },
)

describe.each(eras)('a tool of a %s server that asks', (era) => {
  it('is told what came of it: defaults for what was left out, or a no', async () => {
    const outcomes: (() => ElicitResult)[] = [
      () => ({ action: 'accept' }),
      () => ({ action: 'decline' }),
      () => ({ action: 'cancel' }),
      () => {
        throw new Error('nobody is here')
      },
    ]
    const onElicit = () => outcomes.shift()?.() ?? expect.fail('asked too often')
    const { client, warnings } = connect({ ...fixture('modern'), era, onElicit })
    const said = []
    for (const _outcome of [...outcomes]) said.push(textOf(await client.callTool('ask_name')))
    expect(said).toEqual([
      'Hello, World!',
      'no greeting: decline',
      'no greeting: cancel',
      'no greeting: decline',
    ])
    expect(warnings.all).toEqual(['the elicit hook threw: the server was told no: nobody is here'])
  })

  it('may open a page where that was declared', async () => {
    const onElicit = ({ params: { url } }: InputRequest): ElicitResult => ({
      action: url === 'https://example.com/sign-in' ? 'accept' : 'cancel',
    })
    const clientCapabilities = { elicitation: { form: {}, url: {} } }
    const { client } = connect({ ...fixture('modern'), era, onElicit, clientCapabilities })
    expect(textOf(await client.callTool('ask_url'))).toBe('page: accept')
  })
})

describe('a tool that asks', () => {
  it('for what was not declared is refused by a modern server, with what is missing', async () => {
    const { client } = connect(fixture('modern'))
    expect(client.declaredCapabilities).toEqual({})
    expect(await failureOf(client.callTool('ask_name'))).toMatchObject({
      name: 'ProtocolError',
      code: -32021,
      data: { requiredCapabilities: { elicitation: {} } },
    })
  })

  it('for ever is left after as many rounds as allowed', async () => {
    const rounds = new Heard<unknown>()
    const onElicit = (request: InputRequest) => {
      rounds.hear(request.params.message)
      return word(request)
    }
    const { client } = connect({ ...fixture('modern'), onElicit, maxInputRounds: 3 })
    const failure = await failureOf(client.callTool('ask_forever'))
    expect(failure).toBeInstanceOf(InputLoopExceededError)
    expect(failure).toMatchObject({ code: 'INPUT_LOOP_EXCEEDED', method: 'tools/call', rounds: 3 })
    expect(rounds.all).toEqual(['round 1', 'round 2', 'round 3'])
    expect(textOf(await client.callTool('echo', { text: 'next' }))).toBe('next')
    expect(client.state.value).toEqual({ modern: 'ready' })
  })

  it('only for its state gets that back byte for byte', async () => {
    const { client } = connect(fixture('bare-modern'))
    expect(textOf(await client.callTool('state_only'))).toBe('the state came back')
  })

  it('only for its state again and again is left too', async () => {
    const loop = { resultType: 'input_required', requestState: 'again' }
    const server = fixture('scripted', JSON.stringify({ 'tools/call': [[{ id: '$id', result: loop }]] }))
    const { client } = connect({ ...server, maxInputRounds: 2 })
    expect(await failureOf(client.callTool('park'))).toMatchObject({ rounds: 2 })
  })

  it('without a state gets none back, and keys that look like nothing else', async () => {
    const inputRequests = Object.fromEntries(
      ['__proto__', 'constructor', 'with "quotes"', ''].map((key) => [
        key,
        { method: 'elicitation/create', params: { message: key, requestedSchema: { properties: {} } } },
      ]),
    )
    const { client } = connect({ ...fixture('bare-modern'), onElicit: word })
    const args = JSON.parse(`{"inputRequests":${JSON.stringify(inputRequests)},"requestState":null}`)
    const { structuredContent } = await client.callTool('ask', args)
    const { inputResponses, requestState } = Object(structuredContent)
    expect(requestState).toBeUndefined()
    expect(Object.keys(inputResponses).sort()).toEqual(['', '__proto__', 'constructor', 'with "quotes"'])
  })

  it('may also be a resource or a prompt', async () => {
    const { client } = connect({ ...fixture('bare-modern'), onElicit: () => accept({ who: 'me' }) })
    const answered = JSON.stringify({ who: { action: 'accept', content: { who: 'me' } } })
    expect((await client.readResource('bare:///ask')).contents).toMatchObject([{ text: answered }])
    expect((await client.getPrompt('ask')).messages).toMatchObject([{ content: { text: answered } }])
  })

  it('for what nobody wired is told no: decline, no roots, and no word about a sample', async () => {
    const inputRequests = {
      form: { method: 'elicitation/create', params: { message: '?', requestedSchema: {} } },
      sample: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 1 } },
      roots: { method: 'roots/list' },
    }
    const violations = ['the retry answers [form,roots], asked were [form,roots,sample]']
    const { client } = connect(fixture('bare-modern'), { violations })
    const { structuredContent } = await client.callTool('ask', { inputRequests })
    expect(structuredContent).toMatchObject({
      inputResponses: { form: { action: 'decline' }, roots: { roots: [] } },
    })
  })

  it.each([
    ['nothing', { resultType: 'input_required' }, 'neither inputRequests nor requestState'],
    ['malformed things', { resultType: 'input_required', inputRequests: [] }, 'malformed inputRequests'],
    ['with a state that is none', { resultType: 'input_required', requestState: 1 }, 'is not a string'],
  ])('for %s breaks the protocol', async (_, result, reason) => {
    const server = fixture('scripted', JSON.stringify({ 'tools/call': [[{ id: '$id', result }]] }))
    const { client } = connect(server)
    expect(await failureOf(client.callTool('any'))).toMatchObject({
      name: 'InvalidResultError',
      message: expect.stringContaining(reason),
    })
  })
})
