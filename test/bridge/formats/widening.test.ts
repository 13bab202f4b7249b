import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { JsonObject } from '../../../src/index.ts'
import { args, parameters } from './arbitraries.ts'
import { formatNames, publishOne } from './harness.ts'

it('whatever a schema accepts, it accepts when it was repaired', () => {
  let compared = 0
  fc.assert(
    fc.property(parameters, fc.array(args, { minLength: 5, maxLength: 10 }), (original, instances) => {
      const accepts = validator(original)
      const valid = instances.filter((instance) => accepts(instance))
      if (valid.length === 0) return
      compared += 1
      for (const format of formatNames) {
        const repaired = publishOne(format, original)
        expect(repaired, `${format} left it out`).toBeDefined()
        const stillAccepts = validator(repaired ?? {})
        for (const instance of valid)
          expect(stillAccepts(instance), `${format}: ${JSON.stringify({ instance, repaired })}`).toBe(true)
      }
    }),
    { numRuns: 400 },
  )
  expect(compared).toBeGreaterThan(50)
})

const ajv = new Ajv2020({ strict: false, validateFormats: false, addUsedSchema: false, logger: false })

/** Accepts nothing where the validator refuses the schema, or does not come to the end of it. */
function validator(schema: JsonObject): (instance: unknown) => boolean {
  try {
    const validate = ajv.compile(schema)
    ajv.removeSchema(schema)
    return (instance) => terminates(() => validate(instance))
  } catch {
    return () => false
  }
}

function terminates(check: () => unknown): boolean {
  try {
    return check() === true
  } catch {
    return false
  }
}
