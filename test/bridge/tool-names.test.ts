import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { mayBeOf, publishedNames, type ToolKey } from '../../src/bridge/tool-names.ts'

const hash = (prefix: string, name: string, digits = 8) =>
  createHash('sha256').update(`${prefix}\0${name}`).digest('hex').slice(0, digits)

const names = (keys: readonly ToolKey[], separator = '_') =>
  new Map([...publishedNames(keys, separator)].map(([name, key]) => [`${key.prefix}/${key.name}`, name]))

const anyKeys = fc.uniqueArray(
  fc.record({
    prefix: fc.oneof(fc.constantFrom('a', 'a_b', 'a.b', 'x'.repeat(60)), fc.string({ minLength: 1 })),
    name: fc.oneof(
      fc.constantFrom('b_c', 'c', 'b', 'c.d', 'c_d', 'y'.repeat(70), '', '\ud800', '\ud801'),
      fc.string({ unit: 'binary' }),
    ),
  }),
  { selector: ({ prefix, name }) => `${prefix}\0${name}`, maxLength: 30 },
)

describe('the name a tool is published by', () => {
  it('is prefix, separator and name', () => {
    expect(names([{ prefix: 'fs', name: 'read_file' }]).get('fs/read_file')).toBe('fs_read_file')
    expect(names([{ prefix: 'fs', name: 'read' }], '__').get('fs/read')).toBe('fs__read')
    expect(names([{ prefix: 'fs', name: 'x'.repeat(61) }]).get(`fs/${'x'.repeat(61)}`)).toHaveLength(64)
  })

  it.each([
    ['holds other characters', 'git.hub', 'söarch 😀', 'git_hub_s_arch__'],
    ['is too long', 'fs', 'x'.repeat(62), `fs_${'x'.repeat(52)}`],
    ['is too long for its prefix alone', 'y'.repeat(80), 'z', 'y'.repeat(55)],
  ])('is cut and hashed when it %s', (_, prefix, name, start) => {
    expect(names([{ prefix, name }]).get(`${prefix}/${name}`)).toBe(`${start}_${hash(prefix, name)}`)
  })

  it('is hashed for each of those that collide', () => {
    const keys = [
      { prefix: 'a', name: 'b_c' },
      { prefix: 'a_b', name: 'c' },
      { prefix: 'a', name: 'b' },
    ]
    expect(names(keys)).toEqual(
      new Map([
        ['a/b_c', `a_b_c_${hash('a', 'b_c')}`],
        ['a_b/c', `a_b_c_${hash('a_b', 'c')}`],
        ['a/b', 'a_b'],
      ]),
    )
  })

  it('never is another tool’s, though it was made up to look like it', () => {
    const hashed = `a_c_d_${hash('a', 'c.d')}`
    const keys = [
      { prefix: 'a', name: 'c.d' },
      { prefix: 'a', name: hashed.slice(2) },
    ]
    const published = names(keys)
    expect(published.get('a/c.d')).toBe(hashed)
    expect(published.get(`a/${hashed.slice(2)}`)).toBe(`${hashed}_${hash('a', hashed.slice(2))}`)
  })

  it('is what every vendor takes, unique, and the same in any order of the tools', () => {
    fc.assert(
      fc.property(anyKeys, fc.constantFrom('_', '', '-', '__'), (keys, separator) => {
        const published = publishedNames(keys, separator)
        expect(published.size).toBe(keys.length)
        for (const name of published.keys()) expect(name).toMatch(/^[a-zA-Z0-9_-]{1,64}$/)
        expect(names([...keys].reverse(), separator)).toEqual(names(keys, separator))
      }),
    )
  })

  it('may be of its prefix, whatever was done to it', () => {
    fc.assert(
      fc.property(anyKeys, fc.constantFrom('_', '', '-', '__'), (keys, separator) => {
        for (const [name, { prefix }] of publishedNames(keys, separator))
          expect(mayBeOf(prefix, separator, name)).toBe(true)
      }),
    )
  })

  it.each(['', 'fs', 'fsx_read', 'fs-read', 'FS_read', 'f_0a1b2c3d', 'fs_read!', `fs_${'x'.repeat(62)}`])(
    'cannot be %j under the prefix fs',
    (name) => {
      expect(mayBeOf('fs', '_', name)).toBe(false)
    },
  )

  it('of a fine tool does not depend on tools that leave it alone', () => {
    const alone = names([{ prefix: 'fs', name: 'read' }])
    const among = names([
      { prefix: 'fs', name: 'read' },
      { prefix: 'fs', name: 'rêad' },
      { prefix: 'f', name: 'x' },
    ])
    expect(among.get('fs/read')).toBe(alone.get('fs/read'))
  })
})
