import { describe, expect, it } from 'vitest'
import { type AuthOptions, AuthorizationError } from '../../../src/index.ts'
import { failureOf, textOf } from '../harness.ts'
import { startHost } from '../hosts.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { protectedServer } from './protected.ts'

type Source = (about: { readonly audience: string }) => string | Promise<string>

/** Every option that may be a function which gives a token. */
const options: readonly [option: string, auth: (source: Source, issuer: string) => AuthOptions][] = [
  [
    'auth.clientAssertion',
    (clientAssertion) => ({ grant: { type: 'client_credentials' }, clientId: 'me', clientAssertion }),
  ],
  ['auth.grant.assertion', (assertion) => ({ grant: { type: 'jwt_bearer', assertion }, clientId: 'me' })],
  [
    'auth.grant.subjectToken',
    (subjectToken, issuer) => ({
      grant: { type: 'enterprise', idp: { issuer, clientId: 'me' }, subjectToken },
      clientId: 'me',
    }),
  ],
]

describe.each(options)('the function %s', (option, authOf) => {
  it.each<[how: string, source: Source, reason: string]>([
    ['never answers', () => new Promise(() => {}), 'gave no token within 1 ms (auth.signInTimeoutMs)'],
    ['throws', () => Promise.reject(new Error('no key here')), 'failed: no key here'],
    ['gives nothing', () => '', 'gave no token'],
    ['gives something else', async () => 7 as never, 'gave no token'],
  ])('that %s fails the call by its name, and nothing is asked with it', async (_, source, reason) => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const auth = { ...authOf(source, as.url), signInTimeoutMs: 1 }
    const { client } = connect(server, { url: server.url, hosting: 'inline', auth })
    const failure = await failureOf(client.callTool('one'))
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(String(failure)).toContain(`the function ${option} ${reason}`)
    expect(as.tokenRequests).toEqual([])
  })
})

it('a function that answers the next time is asked by the next connection', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const answers = [new Promise<string>(() => {}), 'a token of mine']
  const auth: AuthOptions = {
    grant: { type: 'client_credentials' },
    clientId: 'me',
    clientAssertion: () => answers.shift() ?? '',
    signInTimeoutMs: 1,
  }
  const call = () => connect(server, { url: server.url, hosting: 'inline', auth }).client.callTool('one')
  await failureOf(call())
  expect(textOf(await call())).toBe('one was called')
  expect(as.tokenRequests).toMatchObject([{ client_assertion: 'a token of mine' }])
})

it('a function that never answers keeps no process alive that has closed its client', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { ended, stdout, stderr } = startHost('unanswered', [server.url])
  expect(await ended).toEqual({ code: 0, signal: null })
  expect([...stdout.all, ...stderr.all]).toEqual(['TRANSPORT_CLOSED'])
})
