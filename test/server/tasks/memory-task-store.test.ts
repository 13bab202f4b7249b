import { expect, it } from 'vitest'
import { MemoryTaskStore, type StoredTask } from '../../../src/server/index.ts'

const task = (taskId: string, principal?: string, text = ''): StoredTask => ({
  principal,
  task: { taskId, status: 'completed', result: { content: [{ type: 'text', text }] } },
})

it('takes so many tasks, and as many again as their time is over', () => {
  const store = new MemoryTaskStore({ maxTasks: 2 })
  store.save(task('a'))
  store.save(task('b'))
  expect(() => store.save(task('c'))).toThrow('2 tasks are kept already')
  expect(store.find('c')).toBeUndefined()
  // What was taken can still change.
  store.save(task('a', undefined, 'more'))
  store.delete('b')
  store.delete('b')
  store.save(task('c'))
  expect(() => store.save(task('d'))).toThrow('2 tasks are kept already')
})

it('keeps room for others than the one who has many', () => {
  const store = new MemoryTaskStore({ maxTasks: 8 })
  store.save(task('a', 'ada'))
  store.save(task('b', 'ada'))
  expect(() => store.save(task('c', 'ada'))).toThrow('2 tasks of yours')
  store.save(task('c', 'bob'))
  store.delete('a')
  store.save(task('d', 'ada'))
  expect(() => store.save(task('e', 'ada'))).toThrow('2 tasks of yours')
})

it('takes no more while their results are large', () => {
  const store = new MemoryTaskStore({ maxBytes: 4_000 })
  store.save(task('a'))
  store.save(task('a', undefined, 'x'.repeat(3_000)))
  expect(() => store.save(task('b'))).toThrow(/^3\d\d\d bytes of tasks are kept already/)
  store.save(task('a'))
  store.save(task('b'))
  for (const id of ['a', 'b']) store.delete(id)
  expect(() => store.save(task('c', undefined, 'x'.repeat(4_000)))).toThrow('0 bytes of tasks')
  store.save(task('c', undefined, 'x'.repeat(3_000)))
})

it('keeps what has grown too large as failed, and says so', () => {
  const store = new MemoryTaskStore({ maxBytes: 20_000 })
  const ids = Array.from({ length: 10 }, (_, index) => `task-${index}`)
  for (const id of ids) store.save(task(id))
  for (const id of ids) store.save(task(id, undefined, 'x'.repeat(5_000)))
  expect(
    ids.map((id) => store.find(id)?.task.status).filter((status) => status === 'completed'),
  ).toHaveLength(2)
  const failed = store.find('task-9')?.task
  expect(failed).toEqual({
    taskId: 'task-9',
    status: 'failed',
    statusMessage: expect.stringMatching(/^There is no room for its 5\d\d\d bytes/),
    error: { code: -32603, message: failed?.statusMessage },
  })
  expect(JSON.stringify(failed).length).toBeLessThan(1_024)
  store.delete('task-0')
  store.save(task('task-9', undefined, 'x'.repeat(5_000)))
  expect(store.find('task-9')?.task.status).toBe('completed')
})

it('leaves a task that goes on as it was where what it asks does not fit', () => {
  const store = new MemoryTaskStore({ maxBytes: 2_000 })
  const working: StoredTask = { principal: undefined, task: { taskId: 'a', status: 'working' } }
  store.save(working)
  const params = { message: 'x'.repeat(2_000) }
  const inputRequests = { who: { method: 'elicitation/create', params } }
  expect(() =>
    store.save({ ...working, task: { taskId: 'a', status: 'input_required', inputRequests } }),
  ).toThrow('There is no room')
  expect(store.find('a')).toBe(working)
})

it('counts bytes, not characters', () => {
  const store = new MemoryTaskStore({ maxBytes: 4_000 })
  store.save(task('a'))
  store.save(task('a', undefined, '€'.repeat(1_400)))
  expect(store.find('a')?.task.status).toBe('failed')
  store.save(task('a', undefined, 'x'.repeat(1_400)))
  expect(store.find('a')?.task.status).toBe('completed')
})

it.each([{ maxTasks: 0 }, { maxBytes: -1 }, { maxBytes: 1_000 }, { most: 5 }])('refuses %j', (options) => {
  expect(() => new MemoryTaskStore(options)).toThrow(Object.keys(options)[0])
})
