import { expect, it } from 'vitest'
import { failureOf } from '../harness.ts'
import { connect } from '../http/harness.ts'
import { type Issuer, issuer, type Oddities } from './issuer.ts'
import { consenting, protectedServer } from './protected.ts'

/** As which every issuer that understands it knows the client. */
const clientMetadataUrl = 'https://app.example/client.json'
const understanding = { client_id_metadata_document_supported: true }
/** It says that it never says who it is. */
const silent = { authorization_response_iss_parameter_supported: false }

type Detour = (honest: Issuer, own: () => Issuer) => Oddities

it.each<[how: string, detour: Detour]>([
  [
    'names the other one’s page as its own',
    ({ url }) => ({
      metadata: () => ({ ...understanding, ...silent, authorization_endpoint: `${url}/authorize` }),
    }),
  ],
  [
    'sends people on to it',
    ({ url }, own) => ({
      metadata: () => ({ ...understanding, ...silent }),
      redirect: () => new URL(`${url}/authorize?${own().authorizations.at(-1)}`),
    }),
  ],
  [
    'registers the client, and sends people on to it as that of the document',
    ({ url }, own) => ({
      metadata: () => silent,
      redirect: () => {
        const asked = new URLSearchParams(own().authorizations.at(-1))
        asked.set('client_id', clientMetadataUrl)
        return new URL(`${url}/authorize?${asked}`)
      },
    }),
  ],
])('a code of an issuer that says who it is is not traded at one that %s', async (_, detour) => {
  const honest = await issuer({ metadata: () => understanding })
  const evil: Issuer = await issuer(detour(honest, () => evil))
  const server = await protectedServer({ issuer: evil })
  const auth = consenting({ clientMetadataUrl, onRedirect: async (url) => journey(url.href) })
  const { client } = connect(server, { url: server.url, hosting: 'inline', auth })
  expect(String(await failureOf(client.callTool('one')))).toMatch(/unexpected "iss"/)
  expect(honest.authorizations.map((query) => query.get('client_id'))).toEqual([clientMetadataUrl])
  expect([evil.tokenRequests, honest.tokenRequests]).toEqual([[], []])
})

/** Where a browser ends up that goes wherever it is sent. */
async function journey(place: string): Promise<string> {
  const { headers } = await fetch(place, { redirect: 'manual' })
  const next = headers.get('location') ?? ''
  return next.startsWith('http://127.0.0.1:1/back') ? next : journey(next)
}
