import { setImmediate } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { quietly } from '../src/quietly.ts'

it.each([
  ['hears it', () => {}],
  [
    'throws',
    () => {
      throw new Error('a fault of the host')
    },
  ],
  ['rejects', () => Promise.reject(new Error('a fault of the host'))],
])('whoever is told, and %s, harms nobody', async (_, react) => {
  const heard: string[] = []
  const warn = quietly((message) => {
    heard.push(message)
    return react()
  })
  warn('one')
  warn('two')
  await setImmediate()
  expect(heard).toEqual(['one', 'two'])
})

it('nobody need be told', () => {
  expect(quietly(undefined)('news')).toBe(undefined)
})
