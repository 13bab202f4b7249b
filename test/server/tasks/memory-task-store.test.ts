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
  const store = new MemoryTaskStore({ maxBytes: 1_000 })
  store.save(task('a'))
  store.save(task('a', undefined, 'x'.repeat(2_000)))
  expect(() => store.save(task('b'))).toThrow(/^2\d\d\d bytes of tasks are kept already/)
  store.save(task('a'))
  store.save(task('b'))
  for (const id of ['a', 'b']) store.delete(id)
  store.save(task('c', undefined, 'x'.repeat(2_000)))
  store.delete('c')
  store.save(task('d'))
})

it.each([{ maxTasks: 0 }, { maxBytes: -1 }, { most: 5 }])('refuses %j', (options) => {
  expect(() => new MemoryTaskStore(options)).toThrow(Object.keys(options)[0])
})
