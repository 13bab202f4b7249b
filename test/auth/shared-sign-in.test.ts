import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest'
import { interactiveSignIn } from '../../src/auth/sign-in/interactive-sign-in.ts'
import { findSignIn } from '../../src/auth/sign-ins.ts'
import { FileTokenStore } from '../../src/auth/store/file-token-store.ts'
import { McpClient } from '../../src/index.ts'
import { browserForTests } from '../inspector/browser.ts'
import { deferred } from '../model/deferred.ts'
import { type Issuer, signInAt, startIssuer } from './issuer.ts'
import { startProtectedServer } from './protected-server.ts'

const browser = browserForTests()
const caller = fileURLToPath(new URL('caller.ts', import.meta.url))

let folder = ''
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'shared-'))
  onTestFinished(() => rm(folder, { recursive: true, force: true }))
})

describe('a sign-in that processes share', () => {
  it('is refreshed by one of them, once, while its refresh token rotates; all go on', async () => {
    const { issuer, url } = await signedIn()
    const everybody = deferred<void>()
    issuer.beforeToken = () => everybody.promise
    const running = [call(url), call(url)]
    await Promise.all(running.map(({ begun }) => begun))
    everybody.resolve()
    const answer = 'begins\n[{"type":"text","text":"three notes"}]'
    expect(await Promise.all(running.map(({ outcome }) => outcome))).toEqual(
      Array(2).fill({ exitCode: 0, stdout: answer, stderr: '' }),
    )
    expect(issuer.grants).toEqual(['authorization_code', 'refresh_token'])
    const left = await readdir(folder)
    expect(left.filter((name) => !name.endsWith('.json'))).toEqual([])
  })

  it('goes on in the next process when the one that refreshed was killed', async () => {
    const { issuer, url } = await signedIn()
    const asked = deferred<void>()
    issuer.beforeToken = () => {
      asked.resolve()
      return new Promise(() => {})
    }
    const killed = call(url)
    await asked.promise
    killed.kill()
    await killed.outcome
    issuer.beforeToken = async () => {}
    expect(await call(url).outcome).toMatchObject({ exitCode: 0, stderr: '' })
    expect(await findSignIn(new FileTokenStore(folder), url)).toMatchObject({ issuer: issuer.url })
  })
})

/** A server, and a sign-in to it whose token it takes no more. */
async function signedIn(): Promise<{ readonly issuer: Issuer; readonly url: string }> {
  const issuer = await startIssuer()
  const { url, refuseTokens } = await startProtectedServer(issuer)
  const visited = deferred<URL>()
  await using signIn = await interactiveSignIn({ onUrl: visited.resolve, openUrl: false })
  const { redirectUri, onRedirect } = signIn
  const auth = { redirectUri, onRedirect, store: new FileTokenStore(folder) }
  await using client = McpClient.connectHttp({ url, auth, hosting: 'inline' })
  const listing = client.listTools()
  await signInAt(await browser.visit((await visited.promise).href))
  await listing
  refuseTokens()
  return { issuer, url }
}

function call(url: string) {
  const running = execa(process.execPath, ['--import', 'tsx', caller, url, folder], { reject: false })
  onTestFinished(() => void running.kill('SIGKILL'))
  return {
    begun: new Promise((resolve) => running.stdout.once('data', resolve)),
    kill: () => running.kill('SIGKILL'),
    outcome: running.then(({ exitCode, stdout, stderr }) => ({ exitCode, stdout, stderr })),
  }
}
