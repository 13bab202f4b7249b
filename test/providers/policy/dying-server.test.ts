import { expect, it } from 'vitest'
import { Policy } from '../../../src/index.ts'
import { fixture } from '../../e2e/harness.ts'
import { deferred } from '../../model/deferred.ts'
import { troupe } from '../registry/harness.ts'
import { AskedPerson } from './asked-person.ts'
import { call } from './recording-provider.ts'

it('a server that dies takes its questions with it, and those of another go on', async () => {
  const person = new AskedPerson()
  const asked = deferred<void>()
  const { registry, add, reached } = troupe()
  add(fixture('modern'), { prefix: 'frail' })
  add(fixture('modern'), { prefix: 'sound' })
  const policy = new Policy({
    provider: registry,
    rules: [{ tool: 'frail_crash', decision: 'allow' }],
    onAsk: (request, context) => {
      asked.resolve()
      return person.onAsk(request, context)
    },
  })
  expect((await policy.toolsForLlm()).map((tool) => tool.function.name)).toContain('frail_echo')
  const results = policy.executeToolCalls([
    call('frail_echo', { text: 'a' }),
    call('sound_echo', { text: 'b' }),
    call('frail_typed'),
  ])
  await asked.promise
  const [crashed] = await policy.executeToolCalls([call('frail_crash')])
  expect(crashed?.is_error).toBe(true)
  await reached('frail', 'backingOff', 1)
  expect(person.contexts[0]?.signal.aborted).toBe(true)
  expect(person.tools).toEqual(['frail_echo', 'sound_echo'])
  person.answer({ action: 'allow-once' })
  const outcomes = (await results).map(({ content }) => content)
  expect(outcomes).toEqual([
    expect.stringContaining('its server went down while the user was being asked'),
    'b',
    expect.stringContaining('its server went down while the user was being asked'),
  ])
})
