import { describe, expect, it, onTestFinished } from 'vitest'
import { guard, LeaseTable, Policy, Registry } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { fixture } from '../../e2e/harness.ts'
import { deferred } from '../../model/deferred.ts'
import { troupe } from '../registry/harness.ts'
import { call, declared, said, Toolkit } from '../registry/provider.ts'
import { AskedPerson } from './asked-person.ts'

const settle = () => new TestClock().settle()
const allow = { action: 'allow-once' } as const

/** A registry, alone or inside another one, whose `fs` a person is asked about under the name `write`. */
function setUp(nesting: 'alone' | 'nested') {
  const registry = new Registry()
  onTestFinished(() => registry.close())
  const outer = new Registry()
  onTestFinished(() => outer.close())
  const [old, other, shell] = [new Toolkit('write'), new Toolkit('write'), new Toolkit('run')]
  registry.add(old, { prefix: 'fs' })
  registry.add(shell, { prefix: 'sh' })
  outer.add(registry, { prefix: 'box' })
  const [provider, prefix] = nesting === 'nested' ? [outer, 'box_'] : [registry, '']
  const person = new AskedPerson()
  const policy = new Policy({ provider, onAsk: person.onAsk })
  return { registry, old, other, shell, person, policy, write: `${prefix}fs_write`, run: `${prefix}sh_run` }
}

type Troubled = ReturnType<typeof setUp>

const ways: readonly (readonly [string, (troubled: Troubled) => Promise<unknown>])[] = [
  ['was replaced', ({ registry, other }) => registry.replace('fs', other)],
  [
    'was removed, and another put in its place',
    async ({ registry, other }) => {
      await registry.remove('fs')
      registry.add(other, { prefix: 'fs' })
    },
  ],
  ['was removed', ({ registry }) => registry.remove('fs')],
]

describe.each(['alone', 'nested'] as const)('a call whose provider, in a registry that is %s,', (nesting) => {
  it.each(ways)(
    '%s while somebody is asked about it is not made, and nobody is asked any more',
    async (_, go) => {
      const troubled = setUp(nesting)
      const { policy, person, old, other, write } = troubled
      await policy.toolsForLlm()
      const results = policy.executeToolCalls([call(write)])
      await settle()
      await go(troubled)
      expect(person.contexts[0]?.signal.aborted).toBe(true)
      person.answer(allow)
      expect(await results).toMatchObject([
        {
          is_error: true,
          content: expect.stringMatching(
            /while the user was being asked, or was replaced\. Nothing was done/,
          ),
        },
      ])
      expect([old.batches, other.batches]).toEqual([[], []])
    },
  )

  it.each(ways)('%s after it was allowed, while another is asked about, is not made', async (_, go) => {
    const troubled = setUp(nesting)
    const { policy, person, old, other, shell, write, run } = troubled
    await policy.toolsForLlm()
    const results = policy.executeToolCalls([call(write), call(run)])
    await settle()
    person.answer(allow)
    await settle()
    await go(troubled)
    person.answer(allow)
    expect(await results).toMatchObject([
      { is_error: true, content: expect.stringMatching(/removed or replaced .* Nothing was done/) },
      { is_error: false, content: 'run was run' },
    ])
    expect([old.batches, other.batches]).toEqual([[], []])
    expect(shell.batches).toHaveLength(1)
  })

  it.each(ways.slice(0, 2))('%s before anybody had listed it is not made', async (_, go) => {
    const troubled = setUp(nesting)
    const { policy, person, old, other, write } = troubled
    const results = policy.executeToolCalls([call(write)])
    await settle()
    await go(troubled)
    person.answer(allow)
    expect(await results).toMatchObject([
      { is_error: true, content: expect.stringContaining('was not made') },
    ])
    expect([old.batches, other.batches]).toEqual([[], []])
  })

  it.each(ways.slice(0, 2))('%s earlier is made by what is there now', async (_, go) => {
    const troubled = setUp(nesting)
    const { policy, person, old, other, write } = troubled
    await policy.toolsForLlm()
    await go(troubled)
    const results = policy.executeToolCalls([call(write)])
    await settle()
    person.answer(allow)
    expect(await results).toMatchObject([{ is_error: false }])
    expect([old.batches.length, other.batches.length]).toEqual([0, 1])
  })
})

it('a call that waits for a lock when its provider is replaced is not made by the new one', async () => {
  const { registry, old, other, person } = setUp('alone')
  const table = new LeaseTable()
  const lock = { holder: 'other', paths: ['/w/a'] }
  await table.acquire(lock)
  const leases = { table, agentId: 'me' }
  const tools = guard({ provider: registry, policy: { onAsk: person.onAsk }, leases, roots: { '': '/w' } })
  await tools.toolsForLlm()
  const results = tools.executeToolCalls([
    call('lock_acquire', { paths: ['a'] }),
    call('fs_write', { path: 'a' }),
  ])
  await settle()
  person.answer(allow)
  await settle()
  expect((await table.status()).waiters).toHaveLength(1)
  await registry.replace('fs', other)
  await table.release(lock)
  expect(await results).toMatchObject([
    { is_error: false },
    { is_error: true, content: expect.stringContaining('was removed or replaced') },
  ])
  expect([old.batches, other.batches]).toEqual([[], []])
})

it('a name that another provider takes over does not lead there for a call that was asked about before', async () => {
  const { registry, person, policy } = setUp('alone')
  const neighbour = new Toolkit('other')
  registry.add(neighbour, { prefix: 'a' })
  registry.add(new Toolkit('c'), { prefix: 'a_b' })
  await policy.toolsForLlm()
  const results = policy.executeToolCalls([call('a_b_c'), call('sh_run')])
  await settle()
  person.answer(allow)
  await settle()
  await registry.remove('a_b')
  neighbour.tools = ['b_c']
  neighbour.tell('catalogue', { path: [] })
  expect((await policy.toolsForLlm()).map((tool) => tool.function.name)).toContain('a_b_c')
  person.answer(allow)
  expect(await results).toMatchObject([{ is_error: true }, { is_error: false }])
  expect(neighbour.batches).toEqual([])
})

it('a provider that is taken out while an earlier one runs its part of the batch runs nothing', async () => {
  const { registry, old, shell } = setUp('alone')
  const begun = deferred<void>()
  const ended = deferred<void>()
  registry.add(
    {
      toolsForLlm: async () => [declared('do')],
      executeToolCalls: async (calls) => {
        begun.resolve()
        await ended.promise
        return calls.map((made) => said(made, 'made'))
      },
    },
    { prefix: 'slow' },
  )
  const results = registry.executeToolCalls([call('slow_do'), call('fs_write'), call('sh_run')])
  await begun.promise
  await registry.remove('fs')
  ended.resolve()
  expect(await results).toMatchObject([
    { content: 'made' },
    { is_error: true, content: expect.stringContaining('fs_write was not made') },
    { content: 'run was run' },
  ])
  expect([old.batches.length, shell.batches.length]).toEqual([0, 1])
})

it('what was asked about a server goes on to its next process, where it was only restarted', async () => {
  const person = new AskedPerson()
  const { registry, add, reached } = troupe()
  add(fixture('modern'), { prefix: 'x' })
  const policy = new Policy({ provider: registry, onAsk: person.onAsk })
  await policy.toolsForLlm()
  const results = policy.executeToolCalls([call('x_echo', { text: 'a' })])
  await settle()
  registry.restart('x')
  await reached('x', 'up', 2)
  person.answer(allow)
  expect(await results).toMatchObject([{ is_error: false, content: 'a' }])
})
