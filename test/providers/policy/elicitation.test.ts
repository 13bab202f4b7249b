import { describe, expect, it } from 'vitest'
import { type ElicitResult, type McpClient, type OnAsk, Policy, type Rule } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { connect, fixture, hostings } from '../../e2e/harness.ts'
import { deferred } from '../../model/deferred.ts'
import { AskedPerson } from './asked-person.ts'
import { call, RecordingProvider } from './recording-provider.ts'

const rules: readonly Rule[] = [{ tool: '*', decision: 'allow' }]
const request = { method: 'elicitation/create', params: { message: 'Who are you?' } }
const { settle } = new TestClock()

/** Answers as somebody, and keeps what was asked. */
function named(name: string) {
  const asked: Parameters<OnAsk>[0][] = []
  const onAsk: OnAsk = (request): ElicitResult => {
    asked.push(request)
    return { action: 'accept', content: { name, greeting: 'Hi' } }
  }
  return { asked, onAsk }
}

describe.each(hostings)('a question that a server asks on the way (%s)', (hosting) => {
  function fleet(wired: () => Policy): McpClient {
    return connect({
      ...fixture('modern'),
      hosting,
      onElicit: (request, context) => wired().elicitHook(request, context),
    }).client
  }

  it('is put to whoever is asked about calls', async () => {
    const ada = named('Ada')
    const client = fleet(() => policy)
    const policy: Policy = new Policy({ provider: client, rules, onAsk: ada.onAsk })
    const [result] = await policy.executeToolCalls([call('ask_name')])
    expect(result).toMatchObject({ content: 'Hi, Ada!', is_error: false })
    expect(ada.asked).toMatchObject([{ kind: 'server-elicit', request }])
  })

  it('goes to the policy that claimed the calls, the outermost where several did, else to the wired one', async () => {
    const [wired, inner, outer] = [named('Wired'), named('Inner'), named('Outer')]
    const client = fleet(() => parent)
    const parent: Policy = new Policy({ provider: client, rules, onAsk: wired.onAsk })
    const child = new Policy({ provider: client, rules, onAsk: inner.onAsk, claimElicits: true })
    const around = new Policy({ provider: child, rules, onAsk: outer.onAsk, claimElicits: true })
    const unclaimed = new Policy({ provider: client, rules, onAsk: inner.onAsk })
    const headless = new Policy({ provider: client, rules, claimElicits: true })
    const greeted = async (policy: Policy) => (await policy.executeToolCalls([call('ask_name')]))[0]?.content
    expect(await greeted(child)).toBe('Hi, Inner!')
    expect(await greeted(around)).toBe('Hi, Outer!')
    expect(await greeted(unclaimed)).toBe('Hi, Wired!')
    expect(await greeted(headless)).toBe('Hi, Wired!')
  })

  it('is withdrawn with the batch that raised it', async () => {
    const person = new AskedPerson()
    const client = fleet(() => wired)
    const wired = new Policy({ provider: client, rules })
    const controller = new AbortController()
    const asked = deferred<void>()
    const onAsk: OnAsk = (request, context) => {
      asked.resolve()
      return person.onAsk(request, context)
    }
    const impatient = new Policy({ provider: client, rules, onAsk, claimElicits: true })
    const results = impatient.executeToolCalls([call('ask_name')], { signal: controller.signal })
    await asked.promise
    controller.abort()
    expect((await results)[0]?.is_error).toBe(true)
    expect(person.contexts[0]?.signal.aborted).toBe(true)
    expect(impatient.state.questions).toEqual([])
  })
})

describe('the hook for servers’ questions', () => {
  const asked = (onAsk?: OnAsk) => {
    const warnings: string[] = []
    const policy = new Policy({
      provider: new RecordingProvider(),
      rules,
      ...(onAsk && { onAsk }),
      onWarn: (message) => warnings.push(message),
    })
    return { policy, warnings }
  }

  it('declines where nobody is', async () => {
    expect(await asked().policy.elicitHook(request)).toEqual({ action: 'decline' })
  })

  it('passes on whatever the person says', async () => {
    const answers: ElicitResult[] = [
      { action: 'accept', content: { name: 'Ada' } },
      { action: 'accept' },
      { action: 'decline' },
      { action: 'cancel' },
    ]
    for (const answer of answers) expect(await asked(() => answer).policy.elicitHook(request)).toEqual(answer)
  })

  it.each([
    ['an answer for calls', () => ({ action: 'allow-once' as const })],
    ['nothing', () => undefined as never],
    [
      'an error',
      () => {
        throw new Error('the dialog broke')
      },
    ],
    [
      'a failure without words',
      () => {
        throw Object.create(null)
      },
    ],
  ])('declines and says so when the answer is %s', async (_what, onAsk) => {
    const { policy, warnings } = asked(onAsk)
    expect(await policy.elicitHook(request)).toEqual({ action: 'decline' })
    expect(warnings).toHaveLength(1)
  })

  it('waits for its turn among the questions about calls', async () => {
    const person = new AskedPerson()
    const policy = new Policy({ provider: new RecordingProvider(), onAsk: person.onAsk })
    const results = policy.executeToolCalls([call('sh_run')])
    const answer = policy.elicitHook(request)
    await settle()
    expect(person.tools).toEqual(['sh_run'])
    person.answer({ action: 'allow-once' })
    await results
    expect(person.tools).toEqual(['sh_run', 'elicitation/create'])
    person.answer({ action: 'decline' })
    expect(await answer).toEqual({ action: 'decline' })
  })

  it('cancels when the server takes it back, dies, or nobody answers in time', async () => {
    const clock = new TestClock()
    const provider = new RecordingProvider()
    const person = new AskedPerson()
    const policy = new Policy({ provider, onAsk: person.onAsk, clock, askTimeoutMs: 500 })
    const controller = new AbortController()
    const signal = new AbortController().signal
    const taken = policy.elicitHook(request, { signal: controller.signal })
    controller.abort()
    expect(await taken).toEqual({ action: 'cancel' })
    expect(await policy.elicitHook(request, { signal: AbortSignal.abort() })).toEqual({ action: 'cancel' })
    const orphaned = policy.elicitHook(request, { signal, toolCall: call('fs_read') })
    provider.tell({ state: 'exhausted', tools: ['fs_read'] })
    expect(await orphaned).toEqual({ action: 'cancel' })
    const late = policy.elicitHook(request)
    await clock.advanceAsync(500)
    expect(await late).toEqual({ action: 'cancel' })
  })

  it('declines what is no elicitation, and what would wait for itself', async () => {
    const inner: ElicitResult[] = []
    const { policy, warnings } = asked(async () => {
      inner.push(await policy.elicitHook(request))
      return { action: 'decline' }
    })
    expect(await policy.elicitHook({ method: 'sampling/createMessage', params: {} })).toEqual({
      action: 'decline',
    })
    await policy.elicitHook(request)
    expect(inner).toEqual([{ action: 'decline' }])
    expect(warnings[0]).toMatch(/would wait for itself/)
  })

  it('forgets a claim with its calls', async () => {
    const provider = new RecordingProvider()
    const child = new Policy({ provider, rules, onAsk: named('Child').onAsk, claimElicits: true })
    const parent = new Policy({ provider, rules, onAsk: named('Parent').onAsk })
    await child.executeToolCalls([call('fs_read')])
    const claim = provider.batches[0]?.options.claim ?? ''
    expect(claim).toMatch(/./)
    expect(await parent.elicitHook(request, { claim })).toMatchObject({ content: { name: 'Parent' } })
  })
})
