import process from 'node:process'
import { afterAll, afterEach, expect } from 'vitest'

/** A process warning (too many listeners, a deprecated call, an unclosed handle) fails the test during which it came. */
const warnings: Error[] = []
process.on('warning', (warning) => warnings.push(warning))

const expectNone = () => expect(warnings.splice(0)).toEqual([])
afterEach(expectNone)
afterAll(expectNone)
