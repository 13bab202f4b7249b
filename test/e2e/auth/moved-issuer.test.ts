import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { removeSignIn } from '../../../src/auth/sign-ins.ts'
import { FileTokenStore } from '../../../src/auth/store/file-token-store.ts'
import { MemoryTokenStore } from '../../../src/auth/store/memory-token-store.ts'
import { type AuthOptions, AuthorizationError } from '../../../src/index.ts'
import { failureOf, textOf } from '../harness.ts'
import { connect } from '../http/harness.ts'
import { type Issuer, issuer, type Oddities } from './issuer.ts'
import { consenting, protectedServer } from './protected.ts'

const program = { grant: { type: 'client_credentials' }, clientId: 'me' } as const
const secret = 'a-secret-of-mine'

/** What a client shows that was registered by hand. */
const clients: readonly [what: string, auth: AuthOptions][] = [
  ['a secret', { ...program, clientSecret: secret }],
  ['an assertion made elsewhere', { ...program, clientAssertion: () => secret }],
  ['a token of the platform', { grant: { type: 'jwt_bearer', assertion: secret }, clientId: 'me' }],
  ['a secret and a person', consenting({ clientId: 'me', clientSecret: secret })],
]

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'moved-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

/** A server that names one issuer until it moves to another one. */
async function moving(oddities: Oddities = {}) {
  const [one, two] = [await issuer(oddities), await issuer(oddities)]
  let current = one
  const server = await protectedServer({
    issuer: one,
    metadata: () => ({ authorization_servers: [current.url] }),
    accepts: (token) => current.scopesOf(token) !== undefined,
  })
  const move = () => {
    current = two
  }
  /** As a process of its own would, which has only the folder in common with those before. */
  const call = (auth: AuthOptions) => {
    const own = { ...auth, store: new FileTokenStore(folder) }
    return connect(server, { url: server.url, hosting: 'inline', auth: own }).client.callTool('one')
  }
  return { one, two, server, move, call }
}

function sawNothing({ authorizations, tokenRequests }: Issuer): void {
  expect(authorizations).toEqual([])
  expect(tokenRequests).toEqual([])
}

describe.each(clients)('a client with %s', (_, auth) => {
  it('is shown to no other issuer than the first, though that gave it no token', async () => {
    const { one, two, server, move, call } = await moving()
    one.isBusy = true
    await failureOf(call(auth))
    expect(JSON.stringify(one.tokenRequests)).toContain('"grant_type"')
    move()
    const failure = await failureOf(call(auth))
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(String(failure)).toContain(`me was shown to ${one.url}, and is shown to nobody else`)
    expect(String(failure)).toMatch(/set auth\.issuer, or forget it: troupe auth --reset/)
    expect(String(failure)).toContain(`${server.url} takes tokens of ${two.url}`)
    expect(String(failure)).not.toContain(secret)
    sawNothing(two)
  })
})

describe('a client that was shown to one issuer', () => {
  const auth: AuthOptions = { ...program, clientSecret: secret }

  it('is shown to no other one, once it has got a token', async () => {
    const { one, two, move, call } = await moving()
    await call(auth)
    move()
    expect(String(await failureOf(call(auth)))).toContain(`me was shown to ${one.url}`)
    sawNothing(two)
  })

  it('is shown to the one that the host names', async () => {
    const { one, two, move, call } = await moving()
    one.isBusy = true
    await failureOf(call(auth))
    move()
    expect(textOf(await call({ ...auth, issuer: two.url }))).toBe('one was called')
    expect(textOf(await call(auth))).toBe('one was called')
  })

  it('is shown to another one when that was forgotten, though there was no sign-in yet', async () => {
    const { one, two, server, move, call } = await moving()
    one.isBusy = true
    await failureOf(call(auth))
    move()
    expect(await removeSignIn(new FileTokenStore(folder), server.url, auth)).toBeUndefined()
    expect(textOf(await call(auth))).toBe('one was called')
    expect(two.count('client_credentials')).toBe(1)
  })

  it('is remembered without a store as long as the options are', async () => {
    const { one, two, server, move } = await moving()
    one.isBusy = true
    const connected = () => connect(server, { url: server.url, hosting: 'inline', auth }).client
    await failureOf(connected().callTool('one'))
    move()
    expect(String(await failureOf(connected().callTool('one')))).toContain(`me was shown to ${one.url}`)
    sawNothing(two)
  })

  it('is not shown to whom this process found first, when another process was faster', async () => {
    const { one, two, server } = await moving()
    class Overtaken extends MemoryTokenStore {
      override async locked<T>(key: string, action: () => Promise<T>): Promise<T> {
        const place = { issuer: two.url, resource: server.url }
        if (key.startsWith('server ')) await this.write(key, JSON.stringify(place))
        return super.locked(key, action)
      }
    }
    const own = { ...auth, store: new Overtaken() }
    const { client } = connect(server, { url: server.url, hosting: 'inline', auth: own })
    expect(String(await failureOf(client.callTool('one')))).toContain(`me was shown to ${two.url}`)
    sawNothing(one)
  })
})

it('a client that registers by itself does so with each issuer, and shows none the secret of another', async () => {
  const secretOf = (url: string) => `secret-of-${new URL(url).port}`
  const { one, two, move, call } = await moving({
    metadata: () => ({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    registered: (url) => ({ client_secret: secretOf(url) }),
  })
  await call(consenting())
  move()
  await call(consenting())
  for (const { url, tokenRequests } of [one, two]) {
    const authorization = `Basic ${btoa(`client-1:${secretOf(url)}`)}`
    expect(tokenRequests).toMatchObject([{ grant_type: 'authorization_code', authorization }])
  }
})
