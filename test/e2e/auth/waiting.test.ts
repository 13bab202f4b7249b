import { once } from 'node:events'
import { expect, it } from 'vitest'
import type { AuthOptions } from '../../../src/index.ts'
import { deferred } from '../../model/deferred.ts'
import { failureOf, hostings, textOf } from '../harness.ts'
import { connect } from '../http/harness.ts'
import { issuer } from './issuer.ts'
import { consenting, posts, protectedServer } from './protected.ts'

/** A person who goes to sign in, and comes back when a test says so. */
function absent() {
  const gone = deferred<{ readonly url: URL; readonly signal: AbortSignal }>()
  const back = deferred<void>()
  const consents = consenting()
  const onRedirect: AuthOptions['onRedirect'] = async (url, context) => {
    gone.resolve({ url, signal: context.signal })
    await back.promise
    return consents.onRedirect?.(url, context) ?? ''
  }
  return { auth: { ...consents, onRedirect }, gone: gone.promise, comeBack: () => back.resolve() }
}

it('calls of two threads wait for the one who signs in; a call that is cancelled does not end that', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { auth, gone, comeBack } = absent()
  const [one, other] = hostings.map((hosting) => connect(server, { url: server.url, hosting, auth }).client)
  const patient = one?.callTool('one')
  const giveUp = new AbortController()
  const impatient = failureOf(other?.callTool('two', {}, { signal: giveUp.signal }) ?? Promise.resolve())
  const { signal } = await gone
  giveUp.abort()
  expect(await impatient).toMatchObject({ code: 'CANCELLED' })
  expect(signal.aborted).toBe(false)
  comeBack()
  expect(patient && textOf(await patient)).toBe('one was called')
  expect(other && textOf(await other.callTool('three'))).toBe('three was called')
  expect(as.authorizations).toHaveLength(1)
})

it.each(hostings)(
  'who signs in is let go when the last connection that waits is closed (%s)',
  async (hosting) => {
    const as = await issuer()
    const server = await protectedServer({ issuer: as })
    const { auth, gone } = absent()
    const { client } = connect(server, { url: server.url, hosting, auth })
    const call = failureOf(client.callTool('one'))
    const { signal } = await gone
    await client.close()
    expect(await call).toMatchObject({ code: 'TRANSPORT_CLOSED' })
    if (!signal.aborted) await once(signal, 'abort')
    expect(posts(server)).toHaveLength(1)
    // The next one may ask again, at once.
    const { client: next } = connect(server, { url: server.url, hosting, auth: { ...auth, ...consenting() } })
    expect(textOf(await next.callTool('two'))).toBe('two was called')
  },
)

it('who does not come back in time is given up', async () => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const auth = { ...absent().auth, signInTimeoutMs: 1 }
  const { client } = connect(server, { url: server.url, auth })
  expect(String(await failureOf(client.callTool('one')))).toMatch(
    /nobody signed in at .+ within 1 ms \(auth\.signInTimeoutMs\)/,
  )
})

it.each([
  ['throws', () => Promise.reject(new Error('no browser here')), /no browser here/],
  ['returns no URL', async () => 'done', /what came back from the sign-in is no URL/],
  ['returns nothing', async () => undefined as never, /is no URL/],
])('a hook that %s ends the sign-in with that reason', async (_, onRedirect, reason) => {
  const as = await issuer()
  const server = await protectedServer({ issuer: as })
  const { client } = connect(server, { url: server.url, auth: consenting({ onRedirect }) })
  expect(String(await failureOf(client.callTool('one')))).toMatch(reason)
})
