import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChallenge } from '../../src/auth/read-challenge.ts'

const nothing = { resourceMetadata: undefined, scopes: [], wantsDpop: false, wasAccepted: false }

describe('a challenge', () => {
  it.each([
    [undefined, nothing],
    ['', nothing],
    ['Bearer', nothing],
    ['Basic realm="a", scope="b"', nothing],
    ['Bearer scope="a  b"', { ...nothing, scopes: ['a', 'b'] }],
    ['bearer SCOPE=a', { ...nothing, scopes: ['a'] }],
    [
      'Basic realm="x", Bearer error="invalid_token", resource_metadata="https://a.example/m", scope="a"',
      { ...nothing, resourceMetadata: 'https://a.example/m', scopes: ['a'] },
    ],
    ['DPoP scope="a"', { ...nothing, scopes: ['a'], wantsDpop: true }],
    ['DPoP algs="ES256", Bearer', nothing],
    ['Bearer scope="unclosed', nothing],
    ['Bearer realm="a \\"quoted\\" word", scope="b"', { ...nothing, scopes: ['b'] }],
  ])('%s asks what it says', async (header, challenge) => {
    expect(await readChallenge(header, false)).toEqual(challenge)
  })

  it('may be anything at all', async () => {
    const pieces = fc.constantFrom(
      'Bearer',
      ' ',
      ',',
      '=',
      '"',
      '\\',
      'scope',
      'a b',
      '\0',
      'ä',
      'resource_metadata',
    )
    await fc.assert(
      fc.asyncProperty(
        fc.oneof(
          fc.string(),
          fc.array(pieces).map((all) => all.join('')),
        ),
        async (header) => {
          const { scopes, wasAccepted } = await readChallenge(header, true)
          expect([Array.isArray(scopes), wasAccepted]).toEqual([true, true])
        },
      ),
    )
  })

  it.each([
    ['commas', ','.repeat(16_000)],
    ['parameters', `Bearer ${'a=b, '.repeat(3_000)}`],
    ['schemes', 'Bearer '.repeat(2_000)],
    ['quotes', `Bearer a="${'\\"'.repeat(8_000)}`],
    ['spaces', `Bearer a=${' '.repeat(16_000)}`],
  ])('of many %s is read before anybody notices', async (_, header) => {
    expect((await readChallenge(header, false)).wantsDpop).toBe(false)
  })
})
