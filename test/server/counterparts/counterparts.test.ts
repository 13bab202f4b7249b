import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Era } from '../../../src/protocol/versions.ts'
import { serveHttp, webHandler } from '../../../src/server/index.ts'
import { pathOf } from '../../e2e/harness.ts'
import { kit } from '../kit.ts'
import type { Counterpart, Fetch, Wire } from './counterpart.ts'
import { features } from './features.ts'
import { client1, client2 } from './official-clients.ts'
import { ourClient } from './our-client.ts'

type Client = readonly [name: string, era: Era, connect: (wire: Wire) => Promise<Counterpart>]

const official: readonly Client[] = [
  ['the official client 2.4, which finds the era out', 'modern', (wire) => client2(wire, 'auto')],
  [
    'the official client 2.4, pinned to the modern era',
    'modern',
    (wire) => client2(wire, { pin: '2026-07-28' }),
  ],
  ['the official client 2.4, in the legacy era', 'legacy', (wire) => client2(wire, 'legacy')],
  ['the official client 1.x', 'legacy', client1],
]
const ours: readonly Client[] = [
  ['our client in the modern era', 'modern', (wire) => ourClient(wire, 'modern')],
  ['our client in the legacy era', 'legacy', (wire) => ourClient(wire, 'legacy')],
]

interface Served {
  readonly wire: Wire
  readonly stop?: () => Promise<void>
}

/** Pages are short, so that every list has several. */
const pageSize = 4

const wires = {
  stdio: async (): Promise<Served> => {
    const args = ['--import', 'tsx', pathOf('../server/programs/kit.ts'), String(pageSize)]
    return { wire: { kind: 'stdio', command: process.execPath, args } }
  },
  HTTP: async (): Promise<Served> => {
    const { url, close } = await serveHttp(kit({ pageSize }), { port: 0, legacy: true, closeGraceMs: 0 })
    return { wire: { kind: 'http', url }, stop: close }
  },
  'web-standard requests': async (): Promise<Served> => {
    const handle = webHandler(kit({ pageSize }), { legacy: true })
    const fetch: Fetch = (url, init) => handle(new Request(url, init))
    return { wire: { kind: 'http', url: 'http://localhost/mcp', fetch } }
  },
}

describe.each([
  { over: 'stdio', clients: [...official, ...ours] },
  { over: 'HTTP', clients: [...official, ...ours] },
  { over: 'web-standard requests', clients: official },
] as const)('over $over', ({ over, clients }) => {
  describe.each(clients)('%s', (_, era, connect) => {
    let client: Counterpart
    let served: Served
    beforeAll(async () => {
      served = await wires[over]()
      client = await connect(served.wire)
    })
    afterAll(async () => {
      await client.close()
      await served.stop?.()
    })
    it('speaks the era it should', () => {
      expect(client.era).toBe(era)
    })

    it.each(features)('%s', (_, use) => use(client))
  })
})
