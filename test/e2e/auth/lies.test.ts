import { describe, expect, it } from 'vitest'
import { type AuthOptions, AuthorizationError } from '../../../src/index.ts'
import { failureOf } from '../harness.ts'
import { connect } from '../http/harness.ts'
import { issuer, type Oddities } from './issuer.ts'
import { consenting, type Protection, posts, protectedServer } from './protected.ts'

interface Lie {
  readonly issuer?: Oddities
  readonly server?: Partial<Protection>
  readonly auth?: AuthOptions
}

/** What a call fails with, and how far the liar got. */
async function told(lie: Lie) {
  const as = await issuer(lie.issuer)
  const server = await protectedServer({ issuer: as, ...lie.server })
  const { client } = connect(server, { url: server.url, hosting: 'inline', auth: consenting(lie.auth) })
  const failure = await failureOf(client.callTool('one'))
  expect(failure).toBeInstanceOf(AuthorizationError)
  expect(posts(server)).toHaveLength(1)
  return { failure: String(failure), asked: as.authorizations.length, traded: as.tokenRequests.length }
}

describe('metadata of the server', () => {
  it.each([
    ['another origin', 'https://evil.example/mcp'],
    ['a path beside it', 'http://127.0.0.1:1/mcp'],
    ['no URL', 'everything'],
    ['what a terminal would obey', 'http://127.0.0.1:1/mcp\u001b[2J'],
  ])('about %s is refused', async (_, resource) => {
    const { failure, asked } = await told({ server: { metadata: () => ({ resource }) } })
    expect(failure).toContain(`is about ${resource}, which is another server`)
    expect(asked).toBe(0)
  })

  it.each([
    ['10.0.0.1', 'https://10.0.0.1/issuer'],
    ['169.254.169.254', 'http://169.254.169.254/latest'],
    ['a name in the clear', 'http://issuer.example'],
    ['a file', 'file:///etc/passwd'],
  ])('that sends the client to %s is refused before anything is asked there', async (_, place) => {
    const { failure, asked } = await told({
      server: { metadata: () => ({ authorization_servers: [place] }) },
    })
    expect(failure).toMatch(/private network|link-local|https/)
    expect(asked).toBe(0)
  })

  it('that would be long to read is refused without being read', async () => {
    const { failure } = await told({ server: { metadata: () => ({ resource: 'a.'.repeat(400_000) }) } })
    expect(failure).toMatch(/is about a\.a\./)
    expect(failure.length).toBeLessThan(1_100)
  })

  it('that passes for another one, by a name before its own, is refused', async () => {
    const metadata = (url: string) => ({ resource: url.replace('//', '//bank.example@') })
    const { failure, asked } = await told({ server: { metadata } })
    expect(failure).toMatch(/which is another server/)
    expect(asked).toBe(0)
  })

  it.each(['http://bank.example@127.0.0.1:1', 'http://127.0.0.1:1/\n', 'http://127.0.0.1:1/\u001b[2J'])(
    'with the issuer %j, which is not what it seems, is refused',
    async (issuer) => {
      const { failure, asked } = await told({
        server: { metadata: () => ({ authorization_servers: [issuer] }) },
      })
      expect(failure).toMatch(/is no https address/)
      expect(asked).toBe(0)
    },
  )

  it('that names nobody is refused', async () => {
    const { failure } = await told({ server: { metadata: () => ({ authorization_servers: [] }) } })
    expect(failure).toMatch(/names no authorization server/)
  })

  it('from a challenge that leads to a private address is refused', async () => {
    const challenge = 'resource_metadata="https://192.168.0.1/metadata"'
    const { failure } = await told({ server: { challenge } })
    expect(failure).toMatch(/192\.168\.0\.1.*private/s)
  })
})

describe('metadata of the authorization server', () => {
  it.each([
    ['another issuer', (url: string) => ({ issuer: 'https://evil.example', token_endpoint: `${url}/t` })],
    ['the same but for a slash', (url: string) => ({ issuer: `${url}/` })],
  ])('that says it is of %s is not trusted', async (_, metadata) => {
    const { failure, asked, traded } = await told({ issuer: { metadata } })
    expect(failure).toMatch(/says it is of .+: it is not to be trusted/)
    expect([asked, traded]).toEqual([0, 0])
  })

  it.each([[undefined], [[]], [['plain']], ['S256']])(
    'without PKCE by S256 is refused: %o',
    async (code_challenge_methods_supported) => {
      const { failure, asked } = await told({
        issuer: { metadata: () => ({ code_challenge_methods_supported }) },
      })
      expect(failure).toMatch(/does not say that it knows PKCE with S256/)
      expect(asked).toBe(0)
    },
  )

  it.each(['javascript:alert(1)', 'http://issuer.example/authorize', 'file:///bin/sh', '/authorize', 7])(
    'that sends people to %s is refused',
    async (authorization_endpoint) => {
      const { failure } = await told({ issuer: { metadata: () => ({ authorization_endpoint }) } })
      expect(failure).toMatch(/names no https page to sign in at/)
    },
  )

  it.each([
    ['https://10.0.0.1/reboot', /private network/],
    ['https://169.254.169.254/latest', /secrets of their machines/],
    ['https://bank.example@issuer.example/authorize', /holds credentials/],
  ])('that sends people to %s is refused', async (authorization_endpoint, reason) => {
    const { failure } = await told({ issuer: { metadata: () => ({ authorization_endpoint }) } })
    expect(failure).toMatch(reason)
  })

  it('of a server that lets no client register says what to do', async () => {
    const { failure } = await told({ issuer: { metadata: () => ({ registration_endpoint: undefined }) } })
    expect(failure).toMatch(/lets no client register by itself; register one there and set auth\.clientId/)
  })

  it('of another issuer than the client is registered with is refused', async () => {
    const auth = { clientId: 'me', issuer: 'https://mine.example' }
    const { failure, asked } = await told({ auth })
    expect(failure).toMatch(/me is a client of https:\/\/mine\.example/)
    expect(asked).toBe(0)
  })
})

describe('a sign-in that comes back', () => {
  const changed = (change: (query: URLSearchParams) => void) => ({
    redirect: (to: URL) => {
      change(to.searchParams)
      return to
    },
  })

  it.each([
    ['another state', (query: URLSearchParams) => query.set('state', 'x'), /unexpected "state"/],
    ['no state', (query: URLSearchParams) => query.delete('state'), /"state".*missing/],
    [
      'another issuer',
      (query: URLSearchParams) => query.set('iss', 'https://evil.example'),
      /unexpected "iss"/,
    ],
    ['no issuer though one was promised', (query: URLSearchParams) => query.delete('iss'), /"iss".*missing/],
    ['two codes', (query: URLSearchParams) => query.append('code', 'x'), /only once/],
    ['nothing', (query: URLSearchParams) => query.delete('code'), /no authorization code/],
  ])('with %s is refused, and no code is traded', async (_, change, reason) => {
    const { failure, traded } = await told({ issuer: changed(change) })
    expect(failure).toMatch(reason)
    expect(traded).toBe(0)
  })

  it('with an error of somebody else shows nothing of it', async () => {
    const { failure } = await told({
      issuer: changed((query) => {
        query.set('iss', 'https://evil.example')
        query.set('error', 'call')
        query.set('error_description', 'call 555-1234')
      }),
    })
    expect(failure).not.toMatch(/555/)
  })

  it('elsewhere than it was told to is refused', async () => {
    const elsewhere = (to: URL) => new URL(`https://evil.example/back${to.search}`)
    const { failure, traded } = await told({ issuer: { redirect: elsewhere } })
    expect(failure).toMatch(/came back to https:\/\/evil\.example\/back, which is not redirectUri/)
    expect(failure).not.toMatch(/code=/)
    expect(traded).toBe(0)
  })

  it.each([
    ['of an unknown kind', { token_type: 'mac' }, /token_type/],
    ['that no header can hold', { access_token: 'secret\r\nx: y' }, /a token that no header can hold/],
    ['that is no text', { access_token: 7 }, /"access_token"/],
    ['that lives backwards', { expires_in: -1 }, /"expires_in"/],
  ])('and a token %s is refused', async (_, answer, reason) => {
    const { failure } = await told({ issuer: { answer } })
    expect(failure).toMatch(reason)
    expect(failure).not.toContain('secret')
  })

  it.each([
    ['token_endpoint', 7],
    ['token_endpoint', 'https://10.1.2.3/token'],
    ['registration_endpoint', {}],
    ['scopes_supported', 'offline_access'],
    ['token_endpoint_auth_methods_supported', { none: true }],
    ['dpop_signing_alg_values_supported', 'x'],
  ])('metadata whose %s is %o breaks nothing', async (name, value) => {
    const as = await issuer({ metadata: () => ({ [name]: value }) })
    const server = await protectedServer({ issuer: as })
    const { client } = connect(server, { url: server.url, hosting: 'inline', auth: consenting() })
    const outcome = await client.callTool('one').catch((error: unknown) => error)
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(AuthorizationError)
    expect(as.authorizations.length).toBeLessThan(2)
  })
})

it('a server without metadata is signed in to only by those who said so', async () => {
  const { failure } = await told({
    server: { metadata: () => undefined, challenge: 'error="invalid_token"' },
  })
  expect(failure).toMatch(
    /publishes no metadata; if it is of 2025-03-26 and to be trusted, set auth\.allowMissingMetadata/,
  )
})
