import { describe, expect, it } from 'vitest'
import { InvalidResultError, TimeoutError } from '../../src/index.ts'
import { connect, failureOf, fixture, hostings, textOf } from './harness.ts'

describe.each(hostings)('a server that nests deeply (%s)', (hosting) => {
  it('is understood as far as anybody means it', async () => {
    const { client } = connect({ ...fixture('deep'), hosting })
    const { structuredContent } = await client.callTool('answer', { levels: 900 })
    expect(JSON.stringify(structuredContent)).toHaveLength(2 * 900 + '{"deep":}'.length)
  })

  it.each([1_000, 6_000, 9_000, 13_000, 50_000, 2_000_000])(
    'beyond that loses only the call: %i levels',
    async (levels) => {
      const { client } = connect({ ...fixture('deep'), hosting })
      const failure = await failureOf(client.callTool('answer', { levels }))
      expect(failure).toBeInstanceOf(InvalidResultError)
      expect(failure).toMatchObject({ message: expect.stringContaining('nested deeper than 1000 levels') })
      expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
    },
  )

  it('in a question is told by silence, and no time stands still', async () => {
    const { client, warnings } = connect({
      ...fixture('deep'),
      hosting,
      onElicit: () => ({ action: 'accept' }),
    })
    expect(textOf(await client.callTool('ask', { levels: 900 }))).toBe('action,content')
    const failure = await failureOf(client.callTool('ask', { levels: 9_000 }, { timeoutMs: 200 }))
    expect(failure).toBeInstanceOf(TimeoutError)
    expect(await warnings.first((warning) => warning.includes('nested deeper'))).toContain('no message')
    expect(textOf(await client.callTool('echo', { text: 'still here' }))).toBe('still here')
  })
})
