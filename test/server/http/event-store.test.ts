import { expect, it } from 'vitest'
import { MemoryEventStore } from '../../../src/server/index.ts'

it.each([
  [{ maxSessionLength: 0 }, 'maxSessionLength: must be a whole number above 0, not 0'],
  [{ maxLength: Number.NaN }, 'maxLength: must be a whole number above 0, not NaN'],
  [{ maxLenght: 5 }, 'maxLenght: is no option; did you mean maxLength?'],
  [null, 'options: must be an object'],
])('a store of events is not made of %j', (options, complaint) => {
  expect(() => new MemoryEventStore(options as never)).toThrow(complaint)
})
