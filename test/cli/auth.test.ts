import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { interruption } from './harness.ts'
import { shownSignIn, signingIn, world } from './signing-in.ts'

const { signIns, troupe, signedIn, configure, expectNoSecret } = signingIn()

describe('a server that wants to know who asks', () => {
  it('is signed in to once, in a browser, and answers every command from then on', async () => {
    const { issuer, url } = await world()
    const before = await troupe(['call', 'count', '--url', url])
    expect(before).toMatchObject({ exitCode: 3, out: '' })
    expect(before.err).toContain(`Sign in with troupe auth ${url},`)
    const done = await signedIn([url])
    expect(done.exitCode).toBe(0)
    expect(done.err).toContain(`Sign in to ${url} on this page:\n\n${issuer.url}/auth?`)
    expect(done.out).toMatch(shownSignIn(url, issuer))
    const called = await troupe(['call', 'count', '--url', url])
    expect(called).toMatchObject({ exitCode: 0, out: 'three notes\n', err: '' })
    const verbose = await troupe(['tools', '--verbose', '--url', url])
    expect(verbose.exitCode).toBe(0)
    expect(issuer.grants).toEqual(['authorization_code'])
    await expectNoSecret([before, done, called, verbose])
  })

  it('is known by its name in the configuration', async () => {
    const { issuer, url } = await world()
    await configure({ notes: { url } })
    const before = await troupe(['tools', 'notes'])
    expect(before.exitCode).toBe(3)
    expect(before.err).toContain('Sign in with troupe auth notes,')
    expect(await signedIn(['notes'])).toMatchObject({
      exitCode: 0,
      out: expect.stringMatching(shownSignIn(url, issuer)),
    })
    expect(await troupe(['call', 'notes', 'count'])).toMatchObject({ exitCode: 0, out: 'three notes\n' })
    expect(await troupe(['auth', '--reset', 'notes'])).toMatchObject({ exitCode: 0 })
    expect(await troupe(['tools', 'notes'])).toMatchObject({ exitCode: 3 })
  })

  it('is up with what troupe auth keeps', async () => {
    const { url } = await world()
    await configure({ notes: { url } })
    await signedIn(['notes'])
    const stopping = new AbortController()
    const onWrite = (text: string) => {
      if (/"state":"up"/.test(text)) stopping.abort(interruption())
    }
    const outcome = await troupe(['up', '--json'], { interrupt: stopping.signal, onWrite })
    expect(outcome).toMatchObject({ out: expect.stringContaining('"state":"up"'), err: '' })
    await expectNoSecret([outcome])
  })

  it('is told of by who keeps it up, and nobody registers in vain', async () => {
    const { issuer, url } = await world()
    await configure({ notes: { url, troupe: { maxRestarts: 1, backoff: { initialMs: 1, maxMs: 1 } } } })
    const stopping = new AbortController()
    const onWrite = (text: string) => {
      if (/"state":"exhausted"/.test(text)) stopping.abort(interruption())
    }
    const { out } = await troupe(['up', '--json'], { interrupt: stopping.signal, onWrite })
    expect(out).toContain(`somebody has to sign in at ${issuer.url}`)
    expect(out).toContain('; sign in with troupe auth notes"')
    expect(issuer.registrations).toBe(0)
  })

  it('that is signed in to already says so, and asks nobody', async () => {
    const { issuer, url } = await world()
    await signedIn([url])
    const again = await troupe(['auth', url])
    expect(again).toMatchObject({ exitCode: 0, err: 'You are signed in already; --reset forgets it.\n' })
    expect(again.out).toMatch(shownSignIn(url, issuer))
  })

  it('goes on when it takes the token no more, without a person', async () => {
    const { issuer, url, refuseTokens } = await world()
    await signedIn([url])
    refuseTokens()
    const called = await troupe(['call', 'count', '--url', url])
    expect(called).toMatchObject({ exitCode: 0, out: 'three notes\n' })
    expect(issuer.grants).toEqual(['authorization_code', 'refresh_token'])
  })

  it('wants a person again when its issuer ended the sign-in', async () => {
    const { issuer, url, refuseTokens } = await world()
    await signedIn([url])
    await issuer.endGrants()
    refuseTokens()
    const called = await troupe(['call', 'count', '--url', url])
    expect(called).toMatchObject({ exitCode: 3, out: '' })
    expect(called.err).toContain(`Sign in with troupe auth ${url},`)
    expect(issuer.registrations).toBe(1)
    expect(await signedIn([url])).toMatchObject({ exitCode: 0 })
    expect(await troupe(['call', 'count', '--url', url])).toMatchObject({ exitCode: 0 })
  })

  it('is not signed in to by who refuses', async () => {
    const { url } = await world()
    const refused = await signedIn([url], 'refused')
    expect(refused).toMatchObject({ exitCode: 3, out: '' })
    expect(refused.err).toMatch(/error: .* failed: access_denied/)
    expect(refused.err).not.toContain('troupe auth')
    expect(await troupe(['auth', '--list', '--json'])).toMatchObject({ out: '{"signIns":[]}\n' })
  })
})

it('credentials of one’s own are not mixed with a sign-in', async () => {
  const { url } = await world()
  await signedIn([url])
  const header = ['--header', 'Authorization: Bearer nonsense']
  expect(await troupe(['tools', '--url', url, ...header])).toMatchObject({ exitCode: 3 })
})

it('a token that a server repeats is shown by it alone', async () => {
  const { url } = await world()
  await signedIn([url])
  const leaked = await troupe(['call', 'leak', '--verbose', '--url', url])
  expect(leaked.out).toMatch(/^eyJ/)
  expect(leaked.err).toContain('"text":"***"')
  await expectNoSecret([{ ...leaked, out: '' }])
})

it('a sign-in that cannot be read is told of by name', async () => {
  const { url } = await world()
  await signedIn([url])
  for (const name of await readdir(signIns())) await writeFile(join(signIns(), name), '{"version":1')
  const { exitCode, err } = await troupe(['tools', '--url', url])
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: expect.stringContaining('is no stored sign-in; remove it'),
  })
  expect(await troupe(['auth', '--list', '--json'])).toMatchObject({ exitCode: 0, out: '{"signIns":[]}\n' })
})
