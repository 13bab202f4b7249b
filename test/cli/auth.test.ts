import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { type Issuer, signInAt, startIssuer } from '../auth/issuer.ts'
import { startProtectedServer } from '../auth/protected-server.ts'
import { browserForTests } from '../inspector/browser.ts'
import { deferred } from '../model/deferred.ts'
import { fixture, interruption, json, type Outcome, troupe as run, type Surroundings } from './harness.ts'
import { enter, interrupt, ScriptedPerson } from './scripted-person.ts'

const browser = browserForTests()

let folder = ''
let env = {}
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'troupe-auth-'))
  env = { TROUPE_SIGN_INS: join(folder, 'sign-ins') }
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

const troupe = (argv: readonly string[], around: Surroundings = {}) =>
  run(argv, { cwd: folder, env, ...around })

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
    const { signIns } = json((await troupe(['auth', '--list', '--json'])).out) as { signIns: object[] }
    const about = {
      issuer: issuer.url,
      resource: url,
      scopes: ['notes:read'],
      canRefresh: true,
      expiresAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    }
    expect(signIns).toEqual([about])
    await expectNoSecret([listed])
    expect(await troupe(['auth', '--reset', '--json'])).toMatchObject({ exitCode: 0 })
    expect(await readdir(join(folder, 'sign-ins'))).toEqual([])
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
  const stored = join(folder, 'sign-ins')
  for (const name of await readdir(stored)) await writeFile(join(stored, name), '{"version":1')
  const { exitCode, err } = await troupe(['tools', '--url', url])
  expect({ exitCode, err }).toEqual({
    exitCode: 1,
    err: expect.stringContaining('is no stored sign-in; remove it'),
  })
  expect(await troupe(['auth', '--list', '--json'])).toMatchObject({ exitCode: 0, out: '{"signIns":[]}\n' })
})

async function world() {
  const issuer = await startIssuer()
  return { issuer, ...(await startProtectedServer(issuer)) }
}

function configure(servers: object): Promise<void> {
  return writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }))
}

/** Runs `troupe auth` for somebody whose browser is ours. */
async function signedIn(
  argv: readonly string[],
  consent: 'granted' | 'refused' = 'granted',
): Promise<Outcome> {
  const opened = deferred<string>()
  const openUrl = async (url: string) => opened.resolve(url)
  const person = { input: new PassThrough(), output: new PassThrough(), openUrl }
  const running = troupe(['auth', ...argv], { person })
  running.then(({ err }) => opened.reject(new Error(`nothing was opened: ${err}`)))
  const page = await browser.visit(await opened.promise)
  await signInAt(page, consent)
  await page
    .getByRole('heading', { name: consent === 'granted' ? 'Access granted' : 'Access refused' })
    .waitFor()
  return running
}

function shownSignIn(url: string, issuer: Issuer): RegExp {
  return new RegExp(
    `^${url}\n  issuer   ${issuer.url}\n  scopes   notes:read\n  expires  \\S+Z, then refreshed\n$`,
  )
}

function pageIn(text: string, found: (page: string) => void): void {
  const [page] = /^http:\S+\/auth\?\S+$/m.exec(text) ?? []
  if (page) found(page)
}

/** Neither tokens nor secrets. */
async function expectNoSecret(outcomes: readonly Outcome[]): Promise<void> {
  const stored = join(folder, 'sign-ins')
  const texts = await Promise.all((await readdir(stored)).map((name) => readFile(join(stored, name), 'utf8')))
  const secrets = texts.flatMap(
    (text) => text.match(/(?<=(?:accessToken|refreshToken)\\":\\")[^"\\]+/g) ?? [],
  )
  expect(secrets.length).toBeGreaterThan(1)
  for (const { out, err } of outcomes) for (const secret of secrets) expect(out + err).not.toContain(secret)
}
