import process from 'node:process'
import { afterEach, expect } from 'vitest'

/** A process warning (too many listeners, a deprecated call, an unclosed handle) fails the test during which it came. */
const warnings: Error[] = []
process.on('warning', (warning) => warnings.push(warning))

afterEach(() => {
  expect(warnings.splice(0)).toEqual([])
})
