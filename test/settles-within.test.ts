import { expect, it } from 'vitest'
import { settlesWithin } from '../src/settles-within.ts'
import { TestClock } from '../src/testing/index.ts'
import { deferred } from './model/deferred.ts'

it.each([
  ['kept', async () => 'word'],
  ['broken', async () => Promise.reject(new Error('broken'))],
])('is true of a promise that is %s in time', async (_, promise) => {
  const clock = new TestClock()
  expect(await settlesWithin(promise(), 10, clock)).toBe(true)
  expect(clock.pending).toBe(0)
})

it('is false of one that is not, whatever becomes of it later', async () => {
  const clock = new TestClock()
  const late = deferred<void>()
  const settles = settlesWithin(late.promise, 10, clock)
  clock.advance(10)
  expect(await settles).toBe(false)
  late.reject(new Error('too late'))
  expect(clock.pending).toBe(0)
})
