import { None } from 'oauth4webapi'
import { expect, it } from 'vitest'
import { createGuardedFetch } from '../../../src/auth/fetch/guarded-fetch.ts'
import { askForConsent } from '../../../src/auth/grants/authorization-code.ts'

it.each(['http://127.0.0.1:9/', 'https://localhost/', 'https://[::1]/', 'https://[::ffff:10.0.0.1]/'])(
  'an issuer far away sends nobody to %s',
  async (authorization_endpoint) => {
    const rules = { allowLoopback: false, allowPrivateNetwork: false }
    const issuer = 'https://issuer.example'
    const as = { issuer, authorization_endpoint, code_challenge_methods_supported: ['S256'] }
    const client = { client_id: 'me' }
    const resource = 'https://server.example/mcp'
    const party = { as, client, resource, authenticate: None(), dpop: undefined, fetch: createGuardedFetch() }
    const visited: URL[] = []
    const onRedirect = async (url: URL) => {
      visited.push(url)
      return url
    }
    const person = { redirectUri: 'http://127.0.0.1:1/back', onRedirect, rules }
    const asked = askForConsent(party, person, [], new AbortController().signal)
    await expect(asked).rejects.toThrow(/is this machine|private network/)
    expect(visited).toEqual([])
  },
)
