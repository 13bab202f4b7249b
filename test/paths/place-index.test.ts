import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUnder } from '../../src/paths/containment.ts'
import { type Place, placeOf } from '../../src/paths/place.ts'
import { PlaceIndex } from '../../src/paths/place-index.ts'

const path = fc
  .tuple(fc.constantFrom('/', ''), fc.array(fc.constantFrom('a', 'A', 'b', 'é', 'é', 'ab'), { maxLength: 4 }))
  .map(([root, segments]) => root + segments.join('/') || '.')

it('finds exactly what overlaps: what is not certainly apart, in either direction', () => {
  fc.assert(
    fc.property(fc.array(path, { maxLength: 12 }), path, (paths, asked) => {
      const index = new PlaceIndex<number>()
      for (const [entry, path] of paths.entries()) index.add(known(path), entry)
      const { location } = known(asked)
      const expected = paths
        .map((path, entry) => ({ entry, other: known(path).location }))
        .filter(({ other }) => isUnder(location, other) !== 'no' || isUnder(other, location) !== 'no')
        .map(({ entry }) => entry)
      expect([...index.overlapping(known(asked))].sort((a, b) => a - b)).toEqual(expected)
    }),
  )
})

function known(path: string): Place {
  const place = placeOf(path)
  if (!place) throw new Error(`${path} leads nobody knows where`)
  return place
}
