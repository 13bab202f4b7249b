import { describe, expect, it } from 'vitest'
import { compileJsonSchema } from '../../../src/server/schema/json-schema.ts'

const check = compileJsonSchema({
  type: 'object',
  properties: {
    city: { type: 'string', minLength: 1 },
    days: { type: ['integer', 'null'] },
    units: { enum: ['metric', 'imperial'] },
    kind: { const: 'report' },
    places: { type: 'array', items: { type: 'object', required: ['x'], additionalProperties: false } },
  },
  required: ['city'],
  additionalProperties: false,
})

describe('what does not fit JSON Schema', () => {
  it.each([
    [{}, 'city is missing'],
    [5, 'must be an object'],
    [{ city: 5 }, 'city must be a string'],
    [{ city: '' }, 'city must not have fewer than 1 characters'],
    [{ city: 'Oslo', ciy: 1 }, 'ciy is no key here; did you mean city?'],
    [{ city: 'Oslo', zzz: 1 }, 'zzz is no key here; known are city, days, units, kind, places'],
    [{ city: 'Oslo', days: 1.5 }, 'days must be an integer or null'],
    [{ city: 'Oslo', units: 'both' }, 'units must be one of "metric", "imperial"'],
    [{ city: 'Oslo', kind: 'x' }, 'kind must be "report"'],
    [{ city: 'Oslo', places: {} }, 'places must be an array'],
    [{ city: 'Oslo', places: [{}] }, 'places.0.x is missing'],
    [{ city: 'Oslo', places: [{ x: 1 }] }, 'places.0.x is no key here'],
  ])('%j is told in words: %s', (value, complaint) => {
    expect(check(value)).toEqual([complaint])
  })

  it('is told in bounds, however many values there are', () => {
    const many = compileJsonSchema({ enum: Array.from({ length: 1_000 }, (_, index) => index) })
    expect(many('x')).toEqual([expect.stringMatching(/^must be one of 0, 1, [\d, ]+19 …$/)])
  })
})
