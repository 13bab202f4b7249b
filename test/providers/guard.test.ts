import { describe, expect, it } from 'vitest'
import { type AskRequest, ConfigError, type GuardOptions, guard, LeaseTable } from '../../src/index.ts'
import { call, namesOf, Toolkit } from './registry/provider.ts'

function guarded(options: Partial<GuardOptions> = {}) {
  const inner = new Toolkit('fs_read', 'fs_write', 'sh_run')
  const asked: AskRequest[] = []
  const onAsk = async (request: AskRequest) => {
    asked.push(request)
    return { action: 'allow-once' as const }
  }
  const table = new LeaseTable()
  const tools = guard({
    provider: inner,
    policy: { onAsk },
    leases: { table, agentId: 'a', concurrent: () => 2 },
    roots: { '': '/w' },
    ...options,
  })
  return { inner, asked, table, tools }
}

describe('a guarded call', () => {
  it('shows its reason to whoever is asked, its locks to the table, and neither to its server', async () => {
    const { inner, asked, table, tools } = guarded()
    await tools.toolsForLlm()
    const results = await tools.executeToolCalls([
      call('lock_acquire', { paths: ['x'], reason: 'to write it' }),
      call('fs_write', { path: 'x', content: '1', reason: 'you asked for it' }),
    ])
    expect(results.map(({ is_error }) => is_error)).toEqual([false, false])
    expect(asked).toMatchObject([
      {
        tool: 'fs_write',
        arguments: { path: 'x', content: '1', reason: 'you asked for it' },
        suggestion: { tool: 'fs_write', under: '/w' },
      },
    ])
    expect((await table.status()).leases).toMatchObject([{ path: '/w/x', holder: 'a' }])
    expect(inner.batches.flat().map((call) => call.function)).toEqual([
      { name: 'fs_write', arguments: { path: 'x', content: '1' } },
    ])
  })

  it('is asked about before it is looked for a lock', async () => {
    const { asked, tools } = guarded()
    const [result] = await tools.executeToolCalls([call('fs_write', { path: 'x' })])
    expect(asked).toHaveLength(1)
    expect(result?.content).toContain('you hold no lock on /w/x')
  })

  it('that carries what no tool declares is told, and goes on', async () => {
    const warnings: string[] = []
    const { inner, tools } = guarded({ onWarn: (message) => void warnings.push(message) })
    await tools.toolsForLlm()
    await tools.executeToolCalls([call('lock_release', { force: true })])
    expect(warnings).toEqual([expect.stringContaining('lock_release')])
    expect(inner.batches).toEqual([])
  })
})

it('tells of a hook of its locks that threw', async () => {
  const warnings: string[] = []
  const concurrent = () => {
    throw new Error('a fault of the host')
  }
  const { tools } = guarded({
    leases: { table: new LeaseTable(), agentId: 'a', concurrent },
    onWarn: (message) => void warnings.push(message),
  })
  await tools.executeToolCalls([call('fs_write', { path: 'x' })])
  expect(warnings).toEqual([expect.stringMatching(/^concurrent threw: a fault of the host; every change/)])
})

describe('the danger floor', () => {
  const remove = () => call('sh_run', { command: 'rm', args: ['-rf', '/'] })
  const policy = { rules: [{ tool: '*', decision: 'allow' as const }] }

  it('stands under whatever the rules allow', async () => {
    const { inner, tools } = guarded({ policy })
    const [result] = await tools.executeToolCalls([remove()])
    expect(result).toMatchObject({ is_error: true, content: /removes the whole disk or home directory/ })
    expect(inner.batches).toEqual([])
  })

  it('knows the home directory, the configuration and the tools it is told', async () => {
    const floor = { home: '/home/me', configDir: '/etc/agent', tools: ['run'] }
    const { tools } = guarded({ policy, floor })
    const results = await tools.executeToolCalls([
      call('run', { command: 'rm', args: ['-rf', '/home/me'] }),
      call('run', { command: 'tee', args: ['/etc/agent/rules.json'] }),
      remove(),
    ])
    expect(results.map(({ is_error }) => is_error)).toEqual([true, true, false])
  })

  it('is left out where that is asked for', async () => {
    const { tools } = guarded({ policy, floor: false })
    expect(await tools.executeToolCalls([remove()])).toMatchObject([{ is_error: false }])
  })

  it('keeps its predicates, whatever checks the policy brings', async () => {
    const { tools } = guarded({ policy: { ...policy, checks: { 'floor:removes-everything': () => 'no' } } })
    expect(await tools.executeToolCalls([remove()])).toMatchObject([{ is_error: true }])
  })
})

describe('the stack', () => {
  it('allows reading and locking by default, and asks about the rest', async () => {
    const { asked, tools } = guarded()
    await tools.executeToolCalls([
      call('fs_read', { path: 'x' }),
      call('lock_release'),
      call('sh_run', { command: 'ls' }),
    ])
    expect(asked.map((request) => 'tool' in request && request.tool)).toEqual(['sh_run'])
  })

  it('has no locks without a table', async () => {
    const { tools } = guarded({ leases: undefined })
    expect(await namesOf(tools)).toEqual(['fs_read', 'fs_write', 'sh_run'])
  })

  it('gives every tool a reason, the locks too', async () => {
    const { tools } = guarded()
    for (const { function: declared } of await tools.toolsForLlm())
      expect(declared.parameters, declared.name).toMatchObject({ properties: { reason: { type: 'string' } } })
  })

  it('passes on the events of what is below', () => {
    const { inner, tools } = guarded()
    const heard: unknown[] = []
    tools.on?.('catalogue', (event) => heard.push(event))
    inner.tell('catalogue', { path: ['x'] })
    expect(heard).toEqual([{ path: ['x'] }])
  })

  it.each([
    ['provider', undefined],
    ['policy', 7],
    ['floor', true],
    ['rules', []],
  ])('with a bad %s (%j) is refused', (option, value) => {
    expect(() => guarded({ [option]: value })).toThrow(ConfigError)
  })
})
