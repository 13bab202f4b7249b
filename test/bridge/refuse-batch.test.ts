import { expect, it } from 'vitest'
import { refusedBatch } from '../../src/bridge/refuse-batch.ts'

it('answers once where there is no list of calls', () => {
  for (const calls of [null, undefined, 'text', {}])
    expect(refusedBatch(calls, {})).toEqual([
      {
        role: 'tool',
        tool_call_id: '',
        content: 'No call was made: the calls must be an array.',
        is_error: true,
      },
    ])
})

it('answers whatever stands in place of a call, under its id, where the options are bad', () => {
  const calls = [{ id: 'a', function: { name: 'read', arguments: {} } }, { id: 'b' }, { id: 7 }, null]
  const results = refusedBatch(calls, { signl: 1 })
  expect(results?.map(({ tool_call_id }) => tool_call_id)).toEqual(['a', 'b', '7', ''])
  for (const result of results ?? [])
    expect(result).toMatchObject({ is_error: true, content: expect.stringContaining('signl: is no option') })
})

it('says nothing of what can be run', () => {
  expect(refusedBatch([null], { signal: undefined })).toBeUndefined()
})
