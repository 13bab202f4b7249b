import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { beforeEach, expect, onTestFinished } from 'vitest'
import { type Issuer, signInAt, startIssuer } from '../auth/issuer.ts'
import { startProtectedServer } from '../auth/protected-server.ts'
import { browserForTests } from '../inspector/browser.ts'
import { deferred } from '../model/deferred.ts'
import { type Outcome, troupe as run, type Surroundings } from './harness.ts'

/** A folder of configuration and sign-ins for each test of a file, command lines that are run there, and a browser. */
export function signingIn() {
  const browser = browserForTests()
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'troupe-auth-'))
    onTestFinished(() => rm(folder, { recursive: true, force: true }))
  })
  const signIns = () => join(folder, 'sign-ins')

  const troupe = (argv: readonly string[], around: Surroundings = {}) =>
    run(argv, { cwd: folder, env: { TROUPE_SIGN_INS: signIns() }, ...around })

  /** Runs `troupe auth` for somebody whose browser is ours. */
  const signedIn = async (
    argv: readonly string[],
    consent: 'granted' | 'refused' = 'granted',
  ): Promise<Outcome> => {
    const opened = deferred<string>()
    const openUrl = async (url: string) => opened.resolve(url)
    const person = { input: new PassThrough(), output: new PassThrough(), openUrl }
    const running = troupe(['auth', ...argv], { person })
    running.then(({ err }) => opened.reject(new Error(`nothing was opened: ${err}`)))
    const page = await browser.visit(await opened.promise)
    await signInAt(page, consent)
    const title = consent === 'granted' ? 'Access granted' : 'Access refused'
    await page.getByRole('heading', { name: title }).waitFor()
    return running
  }

  const configure = (servers: object): Promise<void> =>
    writeFile(join(folder, '.mcp.json'), JSON.stringify({ mcpServers: servers }))

  /** Whatever was stored. */
  const expectNoSecret = async (outcomes: readonly Outcome[]): Promise<void> => {
    const files = (await readdir(signIns())).map((name) => join(signIns(), name))
    const texts = await Promise.all(files.map((file) => readFile(file, 'utf8')))
    const secrets = texts.flatMap(
      (text) => text.match(/(?<=(?:accessToken|refreshToken)\\":\\")[^"\\]+/g) ?? [],
    )
    expect(secrets.length).toBeGreaterThan(1)
    for (const { out, err } of outcomes) for (const secret of secrets) expect(out + err).not.toContain(secret)
  }

  return { browser, signIns, troupe, signedIn, configure, expectNoSecret }
}

/** A server, and who vouches for whoever asks it. */
export async function world() {
  const issuer = await startIssuer()
  return { issuer, ...(await startProtectedServer(issuer)) }
}

export function shownSignIn(url: string, issuer: Issuer): RegExp {
  const facts = `  issuer   ${issuer.url}\n  scopes   notes:read\n  expires  \\S+Z, then refreshed\n`
  return new RegExp(`^${url}\n${facts}$`)
}
