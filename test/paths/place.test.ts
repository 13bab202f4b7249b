import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUnder } from '../../src/paths/containment.ts'
import { overlap, type Place, placeOf } from '../../src/paths/place.ts'

const path = fc
  .tuple(
    fc.constantFrom('/', ''),
    fc.array(fc.constantFrom('a', 'A', 'b', '\u00e9', 'e\u0301', 'ab'), { maxLength: 4 }),
  )
  .map(([root, segments]) => root + segments.join('/') || '.')

it('places overlap unless they are certainly apart, in either direction', () => {
  fc.assert(
    fc.property(path, path, (one, other) => {
      const [a, b] = [known(one), known(other)]
      const isApart = isUnder(a.location, b.location) === 'no' && isUnder(b.location, a.location) === 'no'
      expect(overlap(a, b)).toBe(!isApart)
    }),
    { numRuns: 1_000 },
  )
})

function known(path: string): Place {
  const place = placeOf(path)
  if (!place) throw new Error(`${path} leads nobody knows where`)
  return place
}
