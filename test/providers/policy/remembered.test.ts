import { expect, it } from 'vitest'
import { Policy, type Rule } from '../../../src/index.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { AskedPerson } from './asked-person.ts'
import { call, RecordingProvider } from './recording-provider.ts'

const { settle } = new TestClock()

it('several rules of one answer are told once, and bind what waits', async () => {
  const person = new AskedPerson()
  const told: Rule[][] = []
  const policy = new Policy({
    provider: new RecordingProvider(),
    onAsk: person.onAsk,
    onGrant: (grants) => void told.push(grants),
  })
  const results = policy.executeToolCalls([call('fs_write'), call('fs_read'), call('sh_run')])
  await settle()
  person.answer({ action: 'always-deny', rules: [{ tool: 'fs_write' }, { tool: 'fs_*' }] })
  await settle()
  expect(person.tools).toEqual(['fs_write', 'sh_run'])
  person.answer({ action: 'allow-once' })
  const [, read, run] = await results
  expect(read?.content).toMatch(/the user has refused such calls of fs_read for good/)
  expect(run?.is_error).toBe(false)
  expect(told).toEqual([
    [
      { tool: 'fs_write', decision: 'deny' },
      { tool: 'fs_*', decision: 'deny' },
    ],
  ])
})

it('no grant overrules a denial that comes with new rules', async () => {
  const grants: Rule[] = [{ tool: '*', decision: 'allow' }]
  const policy = new Policy({ provider: new RecordingProvider(), grants })
  policy.replaceRules([{ tool: 'fs_write', decision: 'deny' }])
  const [write, read] = await policy.executeToolCalls([call('fs_write'), call('fs_read')])
  expect([write?.is_error, read?.is_error]).toEqual([true, false])
})
