import { expect, it, describe as suite } from 'vitest'
import { machines } from '../../machines/index.ts'
import { pictures, staleIn } from '../../visualizations/pictures.ts'

const folder = new URL('../../visualizations/', import.meta.url)

suite('the pictures', () => {
  it('that are committed are up to date (else: npm run visualize)', async () => {
    expect(await staleIn(folder, await pictures(machines))).toEqual([])
  })

  it('are three for every machine', async () => {
    const expected = Object.keys(machines).flatMap((name) => [`${name}.svg`, `${name}.mmd`, `${name}.json`])
    expect([...(await pictures(machines)).keys()]).toEqual(expected)
  })

  it('are stale when they are missing or differ', async () => {
    const files = new Map([
      ['connection.mmd', 'something else'],
      ['nowhere.svg', '<svg/>'],
    ])
    expect(await staleIn(folder, files)).toEqual(['connection.mmd', 'nowhere.svg'])
  })
})
