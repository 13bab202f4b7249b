import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readTaskResult } from '../../src/protocol/results.ts'
import { pollIntervalOf, readTask } from '../../src/protocol/tasks.ts'
import { jsonObject } from './arbitraries.ts'

describe('a task', () => {
  it('is read with what its status brings along', () => {
    const task = {
      taskId: 't',
      status: 'input_required',
      statusMessage: 'waiting',
      createdAt: '2026-01-01T00:00:00Z',
      lastUpdatedAt: '2026-01-01T00:00:01Z',
      ttlMs: null,
      pollIntervalMs: 50,
    }
    const inputRequests = { a: { method: 'roots/list' } }
    expect(readTask({ ...task, inputRequests, resultType: 'task', extra: 1 })).toEqual({
      task,
      inputRequests: { a: { method: 'roots/list', params: {} } },
      result: undefined,
      error: undefined,
    })
    const failed = { taskId: 't', status: 'failed', error: { code: 1, message: 'no' } }
    expect(readTask(failed)).toMatchObject({ error: { code: 1, message: 'no' } })
    expect(readTask({ taskId: 't', status: 'completed', result: { content: [] } })).toMatchObject({
      result: { content: [] },
    })
  })

  it.each([
    [{}],
    [{ taskId: 5, status: 'working' }],
    [{ taskId: 't', status: 'sleeping' }],
    [{ taskId: 't', status: 'working', inputRequests: [] }],
    [{ taskId: 't', status: 'failed', error: 'no' }],
    [{ taskId: 't', status: 'failed', error: { code: 1.5, message: '' } }],
  ])('is none: %j', (value) => {
    expect(readTask(value)).toBeUndefined()
    expect(readTaskResult(value)).toEqual({ kind: 'invalid', reason: 'malformed task' })
  })

  it('asks no more at once than one answer may', () => {
    const asking = (count: number) => ({
      taskId: 't',
      status: 'input_required',
      inputRequests: Object.fromEntries(
        Array.from({ length: count }, (_, n) => [`q${n}`, { method: 'elicitation/create', params: {} }]),
      ),
    })
    expect(readTask(asking(64))).toBeDefined()
    expect(readTask(asking(65))).toBeUndefined()
  })

  it('is read whatever it is', () => {
    fc.assert(
      fc.property(jsonObject, (value) => {
        const reading = readTask({ taskId: 't', status: 'working', ...value })
        expect(reading === undefined || typeof reading.task.taskId === 'string').toBe(true)
      }),
    )
  })
})

describe('the pause before a task is polled', () => {
  it.each([
    [undefined, 1_000],
    [500, 500],
    [1, 20],
    [-5, 20],
  ])('of a server that says %s is %d ms', (pollIntervalMs, expected) => {
    expect(pollIntervalOf({ taskId: 't', status: 'working', pollIntervalMs })).toBe(expected)
  })
})
