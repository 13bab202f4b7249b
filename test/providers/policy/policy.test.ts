import { describe, expect, it } from 'vitest'
import type { ToolResult } from '../../../src/bridge/provider.ts'
import { ConfigError, Grants, Policy, type PolicyOptions, type Rule } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { AskedPerson } from './asked-person.ts'
import { call, RecordingProvider } from './recording-provider.ts'

const clock = new TestClock()
const settle = () => clock.settle()

function setUp(options: Partial<PolicyOptions> = {}) {
  const provider = new RecordingProvider()
  const person = new AskedPerson()
  const warnings: string[] = []
  const policy = new Policy({
    provider,
    onAsk: person.onAsk,
    onWarn: (message) => warnings.push(message),
    ...options,
  })
  return { provider, person, warnings, policy }
}

const headless = (options: Partial<PolicyOptions> = {}) => {
  const provider = new RecordingProvider()
  return { provider, policy: new Policy({ provider, ...options }) }
}

const said = (results: readonly ToolResult[]) => results.map(({ content }) => content)
const ran = (provider: RecordingProvider) =>
  provider.batches.map(({ calls }) => calls.map(({ function: { name } }) => name))

describe('the calls of a batch', () => {
  const rules: Rule[] = [
    { tool: 'fs_read', decision: 'allow' },
    { tool: 'fs_write', decision: 'deny', note: 'this is a museum' },
  ]

  it('that are allowed go down as one batch, untouched, and answer in their places', async () => {
    const { provider, policy } = headless({ rules })
    const calls = [call('fs_read', '{}'), call('fs_write'), call('fs_read', { a: 1 }), call('sh_run')]
    const controller = new AbortController()
    const options = { signal: controller.signal, claim: 'c', onProgress: () => {} }
    const results = await policy.executeToolCalls(calls, options)
    expect(provider.batches).toHaveLength(1)
    expect(provider.batches[0]?.calls[0]).toBe(calls[0])
    expect(provider.batches[0]?.calls[1]).toBe(calls[2])
    expect(provider.batches[0]?.options).toEqual(options)
    expect(results.map(({ tool_call_id }) => tool_call_id)).toEqual(calls.map(({ id }) => id))
    expect(results.map(({ is_error }) => is_error)).toEqual([false, true, false, true])
  })

  it('that are denied say who refused and why, and are never seen below', async () => {
    const { provider, policy } = headless({ rules })
    const [result] = await policy.executeToolCalls([call('fs_write')])
    expect(result).toMatchObject({ role: 'tool', is_error: true })
    expect(result?.content).toMatch(
      /^Permission denied: the rules here refuse this call of fs_write: this is a museum\./,
    )
    expect(provider.batches).toEqual([])
  })

  it('that would be asked about are refused where nobody is', async () => {
    const { policy, provider } = headless({ rules })
    expect(policy.interactive).toBe(false)
    const results = await policy.executeToolCalls([call('sh_run')])
    expect(said(results)[0]).toMatch(
      /^Permission required: sh_run needs approval, but nobody is there to give it\./,
    )
    expect(provider.batches).toEqual([])
  })

  it('that lead nobody knows where are refused with advice', async () => {
    const { policy } = headless({ rules: [{ tool: 'fs_read', decision: 'deny', under: '/secret' }] })
    const results = await policy.executeToolCalls([
      call('fs_read', { path: '../x' }),
      call('fs_write', { path: '../x' }),
    ])
    for (const text of said(results)) expect(text).toContain('name plain paths, without .. and ~')
  })

  it.each([
    ['no object', null],
    ['no function', { id: 'x' }],
    ['no name', { id: 'x', function: {} }],
    ['no JSON', call('fs_read', '{')],
    ['no object of arguments', call('fs_read', '[]')],
  ])('that are malformed are told so, and nobody is asked: %s', async (_what, malformed) => {
    const { policy, person, provider } = setUp({ rules })
    const results = await policy.executeToolCalls([malformed as never, call('fs_read')])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, false])
    expect(said(results)[0]).toMatch(/was not made/)
    expect(person.asked).toEqual([])
    expect(ran(provider)).toEqual([['fs_read']])
  })

  it('never make it throw, whatever the provider does', async () => {
    const rules: Rule[] = [{ tool: '*', decision: 'allow' }]
    const provider = new RecordingProvider()
    provider.executeToolCalls = async () => {
      throw new Error('it died')
    }
    const policy = new Policy({ provider, rules })
    expect(said(await policy.executeToolCalls([call('fs_read')]))).toEqual(['it died.'])
    provider.executeToolCalls = async () => []
    expect(said(await policy.executeToolCalls([call('fs_read')]))[0]).toMatch(/gave no answer/)
    expect(await policy.executeToolCalls('calls' as never)).toMatchObject([{ is_error: true }])
    expect(await policy.executeToolCalls([call('fs_read')], { clame: 'x' } as never)).toMatchObject([
      { is_error: true, content: expect.stringContaining('clame: is no option') },
    ])
  })

  it('are decided by the rules there were when the batch began', async () => {
    const { policy, person } = setUp()
    const results = policy.executeToolCalls([call('fs_read'), call('fs_write')])
    await settle()
    policy.replaceRules([{ tool: '*', decision: 'deny' }])
    person.answer({ action: 'allow-once' })
    await settle()
    person.answer({ action: 'allow-once' })
    expect((await results).map(({ is_error }) => is_error)).toEqual([false, false])
    expect((await policy.executeToolCalls([call('fs_read')]))[0]?.content).toMatch(/^Permission denied/)
  })

  it('that were aborted before are not made', async () => {
    const { policy, provider, person } = setUp({ rules })
    const results = await policy.executeToolCalls([call('fs_read'), call('sh_run')], {
      signal: AbortSignal.abort(),
    })
    for (const text of said(results)) expect(text).toMatch(/was cancelled before/)
    expect([provider.batches, person.asked]).toEqual([[], []])
  })
})

describe('a person is asked', () => {
  it('about everything there is to know, as copies', async () => {
    const rule: Rule = { tool: 'fs_*', decision: 'ask', note: 'careful' }
    const { policy, person, provider } = setUp({ rules: [rule], roots: { fs: '/srv' } })
    const given = call('fs_write', { path: 'scratch/notes.md', content: 'x' })
    const results = policy.executeToolCalls([given])
    await settle()
    const [request] = person.asked
    expect(request).toEqual({
      kind: 'permission',
      tool: 'fs_write',
      arguments: { path: 'scratch/notes.md', content: 'x' },
      call: given,
      rule,
      reason: 'rule',
      paths: ['/srv/scratch/notes.md'],
      suggestion: { tool: 'fs_write', under: '/srv/scratch' },
    })
    if (request?.kind === 'permission') {
      expect(request.call).not.toBe(given)
      Object.assign(request.arguments, { path: '/etc/passwd' })
      Object.assign(request.suggestion, { tool: '*' })
    }
    person.answer({ action: 'always-allow' })
    await results
    expect(provider.batches[0]?.calls[0]).toBe(given)
    expect(given.function.arguments).toEqual({ path: 'scratch/notes.md', content: 'x' })
    expect(policy.grants).toEqual([{ tool: 'fs_write', under: '/srv/scratch', decision: 'allow' }])
  })

  it('and may allow or deny once', async () => {
    const { policy, person, provider } = setUp()
    for (const action of ['allow-once', 'deny-once'] as const) {
      const results = policy.executeToolCalls([call('sh_run')])
      await settle()
      person.answer({ action })
      expect((await results)[0]?.is_error).toBe(action === 'deny-once')
    }
    expect(said(await repeated(policy, person, { action: 'deny-once' }))[0]).toMatch(
      /the user refused this call/,
    )
    expect(ran(provider)).toEqual([['sh_run']])
    expect(policy.grants).toEqual([])
  })

  it.each([
    ['always-allow', false],
    ['always-deny', true],
  ] as const)('and may say %s, which is remembered', async (action, isError) => {
    const { policy, person } = setUp()
    expect((await repeated(policy, person, { action }))[0]?.is_error).toBe(isError)
    const [again] = await policy.executeToolCalls([call('sh_run')])
    expect(again?.is_error).toBe(isError)
    if (isError) expect(again?.content).toMatch(/refused such calls of sh_run for good/)
    expect(person.asked).toHaveLength(1)
    expect(policy.grants).toEqual([{ tool: 'sh_run', decision: isError ? 'deny' : 'allow' }])
  })

  it('and may name the rule, or several; their decision is the action', async () => {
    const { policy, person } = setUp()
    const rules = [
      { tool: 'fs_write', under: '/srv', decision: 'deny' as const },
      { tool: 'fs_edit', under: '/srv' },
    ]
    await repeated(policy, person, { action: 'always-allow', rules })
    await repeated(policy, person, { action: 'always-deny', rule: { tool: 'sh_*' } })
    expect(policy.grants).toEqual([
      { tool: 'fs_write', under: '/srv', decision: 'allow' },
      { tool: 'fs_edit', under: '/srv', decision: 'allow' },
      { tool: 'sh_*', decision: 'deny' },
    ])
  })

  it.each([
    ['an unknown action', { action: 'sure' }, /action was "sure"/],
    ['no object', 'yes', /no object/],
    ['nothing', undefined, /no object/],
    ['a rule that is not valid', { action: 'always-allow', rule: { tool: 'fs_*_x' } }, /rule\.tool: must be/],
    ['a rule that is none', { action: 'always-allow', rule: 'fs_*' }, /rule: must be an object/],
    [
      'one bad rule of two',
      { action: 'always-allow', rules: [{ tool: 'sh_run' }, { tool: '' }] },
      /rules\.1\.tool/,
    ],
    ['no rules', { action: 'always-allow', rules: [] }, /no rules to remember/],
    ['rules that are none', { action: 'always-allow', rules: {} }, /no rules to remember/],
    [
      'rule and rules',
      { action: 'always-deny', rule: { tool: 'a' }, rules: [{ tool: 'b' }] },
      /both rule and rules/,
    ],
    ['an answer for servers', { action: 'accept' }, /action was "accept"/],
  ])('and answers with %s: that call is refused and nothing remembered', async (_what, answer, reason) => {
    const { policy, person, provider } = setUp()
    const [result] = await repeated(policy, person, answer as never)
    expect(result?.content).toMatch(/^Permission required: the question about sh_run got no usable answer/)
    expect(result?.content).toMatch(reason)
    expect([policy.grants, provider.batches]).toEqual([[], []])
    expect((await repeated(policy, person, { action: 'allow-once' }))[0]?.is_error).toBe(false)
  })

  it('and a hook that throws refuses that call only', async () => {
    const { policy, person } = setUp()
    const results = policy.executeToolCalls([call('sh_run')])
    await settle()
    person.fail(new Error('the dialog broke'))
    expect(said(await results)[0]).toMatch(/no usable answer \(the dialog broke\)/)
    const throwing = new Policy({
      provider: new RecordingProvider(),
      onAsk: () => {
        throw new Error('at once')
      },
    })
    expect(said(await throwing.executeToolCalls([call('sh_run')]))[0]).toMatch(/at once/)
  })
})

describe('questions', () => {
  it('are put one at a time, in the order they came, from every batch', async () => {
    const { policy, person, provider } = setUp()
    const first = policy.executeToolCalls([call('a'), call('b')])
    const second = policy.executeToolCalls([call('c')])
    await settle()
    expect(policy.state).toMatchObject({
      asking: 'prompting',
      questions: [{ tool: 'a' }, { tool: 'b' }, { tool: 'c' }],
    })
    for (const tools of [['a'], ['a', 'b'], ['a', 'b', 'c']]) {
      expect(person.tools).toEqual(tools)
      person.answer({ action: 'allow-once' })
      await settle()
    }
    expect(policy.state).toEqual({ asking: 'idle', questions: [] })
    await Promise.all([first, second])
    expect(ran(provider)).toEqual([['a', 'b'], ['c']])
  })

  it('that a grant has answered by the time of their turn are not put', async () => {
    const told: Rule[][] = []
    const { policy, person } = setUp({ onGrant: (grants) => void told.push(grants) })
    const results = policy.executeToolCalls(
      Array.from({ length: 6 }, () => call('fs_write', { path: '/w/a' })),
    )
    await settle()
    person.answer({ action: 'always-allow' })
    expect((await results).every(({ is_error }) => !is_error)).toBe(true)
    expect(person.asked).toHaveLength(1)
    expect(told).toEqual([[{ tool: 'fs_write', under: '/w', decision: 'allow' }]])
  })

  it('are withdrawn with their batch, which makes none of its calls; others go on', async () => {
    const { policy, person, provider } = setUp()
    const controller = new AbortController()
    const aborted = policy.executeToolCalls([call('a'), call('b')], { signal: controller.signal })
    const other = policy.executeToolCalls([call('c')])
    await settle()
    controller.abort()
    for (const text of said(await aborted))
      expect(text).toMatch(/was cancelled before it was allowed to begin/)
    expect(person.contexts[0]?.signal.aborted).toBe(true)
    expect(person.tools).toEqual(['a', 'c'])
    person.answer({ action: 'always-allow' }, 0)
    await settle()
    expect(policy.grants).toEqual([])
    person.answer({ action: 'allow-once' })
    await other
    expect(ran(provider)).toEqual([['c']])
  })

  it('are withdrawn when their server dies, and not when another one does, or one is stopped', async () => {
    const { policy, person, provider } = setUp()
    const results = policy.executeToolCalls([call('fs_read'), call('sh_run'), call('fs_write')])
    await settle()
    provider.tell({ state: 'stopped', tools: ['fs_read'] })
    provider.tell({ state: 'starting', tools: ['fs_read'] })
    provider.tell({ state: 'backingOff', tools: ['web_fetch'] })
    await settle()
    expect(policy.state.questions).toHaveLength(3)
    provider.tell({ state: 'backingOff', tools: ['fs_read', 'fs_write'] })
    await settle()
    expect(person.tools).toEqual(['fs_read', 'sh_run'])
    person.answer({ action: 'allow-once' })
    const [read, run, write] = await results
    expect(read?.content).toMatch(/its server went down while the user was being asked/)
    expect(run?.is_error).toBe(false)
    expect(write?.content).toMatch(/its server went down/)
  })

  it('listen to servers only while there are any', async () => {
    const { policy, person, provider } = setUp()
    expect(provider.listeners).toBe(0)
    const results = policy.executeToolCalls([call('fs_read')])
    await settle()
    expect(provider.listeners).toBe(1)
    person.answer({ action: 'allow-once' })
    await results
    expect(provider.listeners).toBe(0)
  })

  it('that nobody answers in time are refused, each in its own time', async () => {
    const clock = new TestClock()
    const { policy, person } = setUp({ clock, askTimeoutMs: 1_000 })
    const results = policy.executeToolCalls([call('a'), call('b')])
    await clock.advanceAsync(999)
    expect(person.tools).toEqual(['a'])
    await clock.advanceAsync(1)
    expect(person.contexts[0]?.signal.aborted).toBe(true)
    expect(person.tools).toEqual(['a', 'b'])
    await clock.advanceAsync(999)
    person.answer({ action: 'allow-once' })
    const [first, second] = await results
    expect(first?.content).toMatch(/nobody answered the question about a within 1000 ms/)
    expect(second?.is_error).toBe(false)
    expect(clock.pending).toBe(0)
    person.answer({ action: 'always-allow' }, 0)
    await clock.settle()
    expect(policy.grants).toEqual([])
  })
})

describe('a call made while its own policy asks', () => {
  it('is refused instead of waiting for itself', async () => {
    const provider = new RecordingProvider()
    const inner: string[] = []
    const policy: Policy = new Policy({
      provider,
      rules: [{ tool: 'fs_read', decision: 'allow' }],
      onAsk: async () => {
        inner.push(...said(await policy.executeToolCalls([call('fs_read'), call('fs_write')])))
        return { action: 'allow-once' }
      },
    })
    const results = await policy.executeToolCalls([call('sh_run')])
    expect(inner).toHaveLength(2)
    for (const text of inner) expect(text).toMatch(/made through the policy whose onAsk is still being asked/)
    expect(results[0]?.is_error).toBe(false)
  })

  it('is refused also on its way through another policy, and from onGrant', async () => {
    const inner: string[] = []
    const policy: Policy = new Policy({
      provider: new RecordingProvider(),
      onAsk: async () => {
        const outer = new Policy({ provider: policy, rules: [{ tool: '*', decision: 'allow' }] })
        inner.push(...said(await outer.executeToolCalls([call('fs_read')])))
        return { action: 'always-allow' }
      },
      onGrant: async () => {
        inner.push(...said(await policy.executeToolCalls([call('fs_write')])))
      },
    })
    await policy.executeToolCalls([call('sh_run')])
    await settle()
    expect(inner).toHaveLength(2)
    for (const text of inner) expect(text).toMatch(/would wait for itself/)
  })

  it('is none once the hook has returned, or when another policy asks', async () => {
    const { policy: other } = headless({ rules: [{ tool: '*', decision: 'allow' }] })
    let later: Promise<readonly ToolResult[]> | undefined
    const elsewhere: string[] = []
    const policy: Policy = new Policy({
      provider: new RecordingProvider(),
      rules: [{ tool: 'fs_read', decision: 'allow' }],
      onAsk: async () => {
        elsewhere.push(...said(await other.executeToolCalls([call('fs_write')])))
        later = settle()
          .then(settle)
          .then(() => policy.executeToolCalls([call('fs_read')]))
        return { action: 'allow-once' }
      },
    })
    await policy.executeToolCalls([call('sh_run')])
    expect(said((await later) ?? [])).toEqual(['fs_read ran'])
    expect(elsewhere).toEqual(['fs_write ran'])
  })
})

describe('grants', () => {
  it('are asked only where the rules say ask, and a denial beats a permission', async () => {
    const { policy, provider } = headless({
      rules: [
        { tool: 'fs_write', decision: 'deny' },
        { tool: 'fs_read', decision: 'allow' },
        { tool: 'b', decision: 'ask' },
      ],
      grants: [
        { tool: '*', decision: 'allow' },
        { tool: 'fs_read', decision: 'deny' },
        { tool: 'a', decision: 'deny' },
      ],
    })
    const results = await policy.executeToolCalls(['fs_write', 'fs_read', 'a', 'b'].map((name) => call(name)))
    expect(results.map(({ is_error }) => is_error)).toEqual([true, false, true, false])
    expect(ran(provider)).toEqual([['fs_read', 'b']])
  })

  it('never allow what is dangerous, but deny it', async () => {
    const { policy, person } = setUp({
      rules: [{ tool: 'sh_run', decision: 'ask', severity: 'danger' }],
      grants: [{ tool: '*', decision: 'allow' }],
    })
    await repeated(policy, person, { action: 'always-allow' })
    await repeated(policy, person, { action: 'always-allow' })
    expect(person.asked).toHaveLength(2)
    await repeated(policy, person, { action: 'always-deny' })
    expect((await policy.executeToolCalls([call('sh_run')]))[0]?.is_error).toBe(true)
    expect(person.asked).toHaveLength(3)
  })

  it('of a shared book bind every policy, those that wait and those to come', async () => {
    const grantsStore = new Grants()
    const parent = setUp({ grantsStore })
    const child = setUp({ grantsStore })
    const ofChild = child.policy.executeToolCalls([call('a'), call('sh_run')])
    const ofParent = parent.policy.executeToolCalls([call('sh_run')])
    await settle()
    parent.person.answer({ action: 'always-allow' })
    await ofParent
    child.person.answer({ action: 'allow-once' })
    expect((await ofChild).map(({ is_error }) => is_error)).toEqual([false, false])
    expect(child.person.tools).toEqual(['a'])
    const late = headless({ grantsStore, grants: [{ tool: 'x', decision: 'deny' }] })
    expect((await late.policy.executeToolCalls([call('sh_run')]))[0]?.is_error).toBe(false)
    expect(late.policy.grants).toEqual([
      { tool: 'x', decision: 'deny' },
      { tool: 'sh_run', decision: 'allow' },
    ])
    expect(grantsStore.grants).toEqual([{ tool: 'sh_run', decision: 'allow' }])
  })

  it('are told whole and as copies, before the call goes on', async () => {
    const seen: unknown[] = []
    const { policy, person, provider } = setUp({
      grants: [{ tool: 'x', decision: 'deny' }],
      onGrant: (grants) => {
        seen.push(structuredClone(grants), provider.batches.length)
        grants.length = 0
      },
    })
    await repeated(policy, person, { action: 'always-allow' })
    expect(seen).toEqual([
      [
        { tool: 'x', decision: 'deny' },
        { tool: 'sh_run', decision: 'allow' },
      ],
      0,
    ])
    expect(policy.grants).toHaveLength(2)
  })

  it('stand also when the hook that is told fails', async () => {
    for (const onGrant of [
      () => {
        throw new Error('disk full')
      },
      () => Promise.reject(new Error('disk full')),
    ]) {
      const { policy, person, warnings } = setUp({ onGrant })
      expect((await repeated(policy, person, { action: 'always-allow' }))[0]?.is_error).toBe(false)
      await settle()
      expect(warnings).toEqual(['onGrant failed; what was granted stands all the same (disk full)'])
      expect(policy.grants).toHaveLength(1)
    }
  })

  it('with a check that this policy does not have let nothing through', async () => {
    const grantsStore = new Grants({
      grants: [
        { tool: 'a', decision: 'allow', check: 'unheard-of' },
        { tool: 'b', decision: 'deny', check: 'unheard-of' },
        { tool: 'b', decision: 'allow' },
      ],
    })
    const { policy } = headless({ grantsStore })
    const results = await policy.executeToolCalls([call('a'), call('b')])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true])
  })

  it('can be looked up without asking', () => {
    const { policy, person } = setUp({
      rules: [
        { tool: 'fs_read', decision: 'allow' },
        { tool: 'fs_write', decision: 'deny' },
        { tool: 'sh_run', decision: 'ask', severity: 'danger' },
      ],
      grants: [
        { tool: 'fs_write', decision: 'allow' },
        { tool: 'a', decision: 'allow', under: '/w' },
        { tool: 'sh_run', decision: 'allow' },
      ],
    })
    expect(policy.grantDecision('fs_read', {})).toBe('allow')
    expect(policy.grantDecision('fs_write', {})).toBe('deny')
    expect(policy.grantDecision('a', '{"path":"/w/x"}')).toBe('allow')
    expect(policy.grantDecision('a', '{"path":"/e/x"}')).toBeUndefined()
    expect(policy.grantDecision('a', '{')).toBeUndefined()
    expect(policy.grantDecision('sh_run', {})).toBeUndefined()
    expect(person.asked).toEqual([])
  })
})

describe('the catalogue', () => {
  it('leaves out what is denied whatever its arguments, and nothing else', async () => {
    const rules: Rule[] = [
      { tool: 'fs_w*', decision: 'deny' },
      { tool: 'fs_read', decision: 'deny', under: '/secret' },
      { tool: 'sh_run', decision: 'deny', command: '*' },
    ]
    const names = async (options: Partial<PolicyOptions>) =>
      (await headless(options).policy.toolsForLlm()).map(({ function: { name } }) => name)
    expect(await names({ rules })).toEqual(['fs_read', 'sh_run'])
    expect(await names({ rules, filterTools: false })).toEqual(['fs_read', 'fs_write', 'sh_run'])
  })

  it('that cannot be listed throws', async () => {
    const { policy, provider } = headless()
    provider.toolsForLlm = () => Promise.reject(new Error('gone'))
    await expect(policy.toolsForLlm()).rejects.toThrow('gone')
  })

  it('and its servers can be listened to where they can be below', () => {
    const { policy, provider } = headless()
    const heard: unknown[] = []
    const stop = policy.on?.('child', (event) => heard.push(event.state))
    provider.tell({ state: 'up' })
    stop?.()
    provider.tell({ state: 'stopped' })
    expect(heard).toEqual(['up'])
    const { executeToolCalls, toolsForLlm } = provider
    expect(new Policy({ provider: { executeToolCalls, toolsForLlm } }).on).toBeUndefined()
  })
})

describe('what a policy shows', () => {
  it('are copies', () => {
    const rules: Rule[] = [{ tool: 'sh_run', decision: 'ask', command: 'git', args: ['push'] }]
    const { policy } = headless({ rules, roots: { fs: '/srv' }, grants: [{ tool: 'x', decision: 'deny' }] })
    Object.assign(policy.rules[0] ?? {}, { decision: 'allow' })
    policy.grants.pop()
    policy.roots.fs = '/'
    expect(policy.rules).toEqual(rules)
    expect(policy.roots).toEqual({ fs: '/srv' })
    expect(policy.grants).toHaveLength(1)
  })

  it('is not changed by what its maker does with the options later', () => {
    const roots = { fs: '/srv' }
    const { policy } = headless({ roots, rules: [{ tool: '*', decision: 'allow', under: '/srv' }] })
    roots.fs = '/etc'
    expect(policy.grantDecision('fs_read', { path: 'passwd' })).toBe('allow')
  })

  it('has default rules for what harms nothing', () => {
    expect(Policy.defaultRules().map(({ tool, decision }) => `${decision} ${tool}`)).toEqual([
      'allow fs_read',
      'allow fs_list',
      'allow fs_glob',
      'allow fs_stat',
      'allow fs_grep',
      'allow fs_map',
      'allow user_ask',
      'allow lock_acquire',
      'allow lock_release',
    ])
  })
})

describe('a bad option is refused by name', () => {
  const provider = new RecordingProvider()
  it.each([
    [{}, 'provider: is missing'],
    [{ provider: {} }, 'provider: must be a provider'],
    [{ provider, rulez: [] }, 'rulez: is no option'],
    [{ provider, rules: [{ tool: 'a' }] }, 'rules.0.decision: is missing'],
    [{ provider, grants: [{ tool: 'a', decision: 'ask' }] }, 'grants.0.decision: must be allow or deny'],
    [{ provider, grantsStore: [] }, 'grantsStore: must be a Grants'],
    [{ provider, roots: { fs: '..' } }, 'roots.fs: must be a directory'],
    [{ provider, pathParams: { fs: 'path' } }, 'pathParams.fs: must be'],
    [{ provider, checks: { a: 1 } }, 'checks.a: must be a function'],
    [{ provider, onAsk: true }, 'onAsk: must be a function'],
    [{ provider, askTimeoutMs: 0 }, 'askTimeoutMs: must be milliseconds above 0'],
    [{ provider, filterTools: 'no' }, 'filterTools: must be true or false'],
    [{ provider, claimElicits: 1 }, 'claimElicits: must be true or false'],
    [{ provider, clock: 5 }, 'clock: must be a clock'],
  ])('%#: %s', (options, message) => {
    expect(() => new Policy(options as never)).toThrow(ConfigError)
    expect(() => new Policy(options as never)).toThrow(message)
  })

  it('and bad rules leave those there are in force', () => {
    const rules: Rule[] = [{ tool: 'a', decision: 'deny' }]
    const { policy } = headless({ rules })
    expect(() => policy.replaceRules([{ tool: 'a', decision: 'allow' }, { tool: '' }] as never)).toThrow(
      ConfigError,
    )
    expect(policy.rules).toEqual(rules)
  })
})

/** One call that is asked about and answered. */
async function repeated(policy: Policy, person: AskedPerson, answer: Parameters<AskedPerson['answer']>[0]) {
  const results = policy.executeToolCalls([call('sh_run')])
  await settle()
  person.answer(answer)
  return results
}
