import { describe, expect, it } from 'vitest'
import { ServerGoneError, UnsupportedVersionError } from '../../src/index.ts'
import { connect, failureOf, fixture } from './harness.ts'
import { error, result, type Scene, scripted } from './scripted.ts'

const silent: Scene = []
const refuses: Scene = [error(-32022, 'modern only', { supported: ['2026-07-28'], requested: '2025-11-25' })]
const discovered: Scene = [
  result({ resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: {} }),
]

describe('a modern server that starts too slowly for its probe', () => {
  it('is asked again when it refuses the handshake and names our version', async () => {
    const server = scripted({ 'server/discover': [silent, discovered], initialize: [refuses] })
    const { client } = connect({ ...server, probeTimeoutMs: 50 })
    expect(await client.era()).toBe('modern')
    const { evidence } = await client.probeReport()
    expect(evidence.map(({ asked, verdict }) => [asked, verdict])).toEqual([
      ['server/discover', 'legacy'],
      ['initialize', 'refused'],
      ['server/discover', 'modern'],
    ])
  })

  it('is believed once: silent for ever, it is refused', async () => {
    const server = scripted({ 'server/discover': [silent], initialize: [refuses] })
    const { client } = connect({ ...server, probeTimeoutMs: 50 })
    expect(await failureOf(client.era())).toBeInstanceOf(UnsupportedVersionError)
    expect((await client.probeReport()).evidence).toHaveLength(4)
  })
})

describe('a question that the connection does not survive', () => {
  it('stands in the evidence', async () => {
    const { client } = connect(fixture('dies-on-discover'))
    expect(await failureOf(client.era())).toBeInstanceOf(ServerGoneError)
    expect((await client.probeReport()).evidence).toMatchObject([
      { asked: 'server/discover', answer: { kind: 'gone' }, verdict: 'raised' },
    ])
  })

  it('stands in the evidence also when it was never answered', async () => {
    const { client } = connect({ ...fixture('bare-legacy', '--silent-initialize'), requestTimeoutMs: 50 })
    await failureOf(client.era())
    expect((await client.probeReport()).evidence).toMatchObject([
      { asked: 'server/discover', verdict: 'legacy' },
      { asked: 'initialize', verdict: 'raised' },
    ])
  })
})
