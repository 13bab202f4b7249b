import { readdir } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { signInAt, startIssuer } from '../auth/issuer.ts'
import { startProtectedServer } from '../auth/protected-server.ts'
import { deferred } from '../model/deferred.ts'
import { fixture, interruption, json } from './harness.ts'
import { enter, interrupt, ScriptedPerson } from './scripted-person.ts'
import { shownSignIn, signingIn, world } from './signing-in.ts'

const { browser, signIns, troupe, signedIn, configure, expectNoSecret } = signingIn()

describe('a browser that cannot come back', () => {
  it('is where its person is, who pastes where it ended', async () => {
    const { issuer, url } = await world()
    const person = new ScriptedPerson()
    const shown = deferred<string>()
    const running = troupe(['auth', url, '--manual'], {
      person,
      onError: (text) => pageIn(text, shown.resolve),
    })
    const page = await browser.visit(await shown.promise, /\/callback\?/)
    await signInAt(page)
    await page.waitForURL(/\/callback\?/)
    person.expect(['where the browser ended', `${page.url()}${enter}`])
    expect(await running).toMatchObject({ exitCode: 0, out: expect.stringMatching(shownSignIn(url, issuer)) })
    expect(person.opened).toEqual([])
  })

  it('is given up with ^C at the question', async () => {
    const { url } = await world()
    const person = new ScriptedPerson(['where the browser ended', interrupt])
    expect(await troupe(['auth', url, '--manual'], { person })).toMatchObject({ exitCode: 130, out: '' })
  })

  it('may be told of on stdin, once', async () => {
    const { url } = await world()
    const outcome = await troupe(['auth', url, '--manual'], { stdin: 'http://127.0.0.1/callback?code=hush' })
    expect(outcome).toMatchObject({ exitCode: 3, out: '' })
    expect(outcome.err).toContain('what came on stdin will not do: it must begin with http://127.0.0.1:')
    expect(outcome.err).not.toContain('hush')
  })
})

describe('troupe auth', () => {
  it('lists what there is, and forgets it', async () => {
    const { issuer, url } = await world()
    const nothing = { exitCode: 0, out: '', err: 'There are no sign-ins.\n' }
    expect(await troupe(['auth', '--list'], { terminal: true })).toMatchObject(nothing)
    expect(await troupe(['auth', '--reset', url])).toMatchObject({
      exitCode: 0,
      err: `There was no sign-in for ${url}.\n`,
    })
    await signedIn([url])
    const listed = await troupe(['auth', '--list'])
    expect(listed.out).toMatch(shownSignIn(url, issuer))
    const documented = json((await troupe(['auth', '--list', '--json'])).out)
    const about = {
      issuer: issuer.url,
      resource: url,
      scopes: ['notes:read'],
      canRefresh: true,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }
    expect(documented).toEqual({ signIns: [about] })
    await expectNoSecret([listed])
    expect(await troupe(['auth', '--reset', '--json'])).toMatchObject({ exitCode: 0 })
    expect(await readdir(signIns())).toEqual([])
    expect(await troupe(['call', 'count', '--url', url])).toMatchObject({ exitCode: 3 })
  })

  it('answers a program in JSON', async () => {
    const { issuer, url } = await world()
    const done = await signedIn([url, '--json'])
    expect(json(done.out)).toMatchObject({ signIn: { issuer: issuer.url, resource: url } })
    await expectNoSecret([done])
  })

  it('is over after a while, and when it is interrupted', async () => {
    const { issuer, url } = await world()
    const late = await troupe(['auth', url, '--timeout', '1'])
    expect(late.exitCode).toBe(3)
    expect(late.err).toContain(`error: nobody signed in at ${issuer.url} within 1 ms`)
    const stopping = new AbortController()
    const onError = () => stopping.abort(interruption())
    expect(await troupe(['auth', url], { interrupt: stopping.signal, onError })).toMatchObject({
      exitCode: 130,
    })
  })

  it.each([
    [[], 1],
    [['--no-browser'], 0],
    [['--manual'], 0],
  ])('with %j opens %i pages', async (options, count) => {
    const { url } = await world()
    const person = new ScriptedPerson()
    const stopping = new AbortController()
    const onError = (text: string) => {
      if (/^http/m.test(text)) setImmediate(() => stopping.abort(interruption()))
    }
    await troupe(['auth', url, ...options], { person, onError, interrupt: stopping.signal })
    expect(person.opened).toHaveLength(count)
  })

  it('needs no sign-in where there is none', async () => {
    const issuer = await startIssuer()
    const { url } = await startProtectedServer(issuer, { isOpen: true })
    const outcome = await troupe(['auth', url])
    expect(outcome).toMatchObject({
      exitCode: 0,
      out: '',
      err: `${url} answers anybody: there is nothing to sign in to.\n`,
    })
    expect(json((await troupe(['auth', url, '--json'])).out)).toEqual({ signIn: null })
  })

  it.each<[argv: string[], message: string]>([
    [[], 'Which server?'],
    [['elsewhere'], 'There is no server "elsewhere" in'],
    [['nots'], 'Did you mean notes?'],
    [['local'], 'local is a program that runs here'],
    [['https://'], 'That is no URL'],
    [['notes', '--url', 'https://example.com/mcp'], 'Name one server'],
    [['notes', 'other'], 'takes one argument'],
    [['--list', 'notes'], 'it takes no server'],
    [['notes', '--timeout', 'soon'], 'A timeout is milliseconds'],
    [['http://example.com/mcp'], 'would send tokens in the clear'],
  ])('%j is refused with what to do', async (argv, message) => {
    const [command, ...args] = fixture('echo').slice(1)
    await configure({ notes: { url: 'https://example.com/mcp' }, local: { command, args } })
    const { exitCode, err, out } = await troupe(['auth', ...argv])
    expect(err).toContain(message)
    expect({ exitCode, out }).toEqual({ exitCode: 1, out: '' })
  })
})

function pageIn(text: string, found: (page: string) => void): void {
  const [page] = /^http:\S+\/auth\?\S+$/m.exec(text) ?? []
  if (page) found(page)
}
