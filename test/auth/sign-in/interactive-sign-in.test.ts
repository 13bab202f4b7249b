import { request as ask } from 'node:http'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import {
  type InteractiveSignIn,
  type InteractiveSignInOptions,
  interactiveSignIn,
} from '../../../src/auth/sign-in/interactive-sign-in.ts'
import { AuthorizationError, CancelledError, ConfigError, TimeoutError } from '../../../src/errors.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'

const page = new URL('https://issuer.example/authorize?client_id=c&state=s1')
const never = new AbortController().signal

async function open(options: Partial<InteractiveSignInOptions> = {}): Promise<InteractiveSignIn> {
  const signIn = await interactiveSignIn({ onUrl: () => {}, openUrl: false, ...options })
  onTestFinished(() => signIn.close())
  return signIn
}

describe('a sign-in', () => {
  it('says where to go, opens it, and resolves with where the browser came back to', async () => {
    const [onUrl, openUrl] = [vi.fn(), vi.fn(async () => {})]
    const { redirectUri, onRedirect } = await open({ onUrl, openUrl })
    expect(redirectUri).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/callback$/)
    const arriving = onRedirect(page, { signal: never })
    expect(onUrl).toHaveBeenCalledExactlyOnceWith(page)
    expect(openUrl).toHaveBeenCalledExactlyOnceWith(page.href)
    const back = `${redirectUri}?code=c%2B1&state=s1&iss=https://issuer.example`
    const response = await fetch(back)
    expect(response.status).toBe(200)
    expect(await response.text()).toContain('Access granted')
    expect(String(await arriving)).toBe(back)
  })

  it('goes on where no browser can be opened', async () => {
    const { redirectUri, onRedirect } = await open({
      openUrl: () => Promise.reject(new Error('no browser')),
    })
    const arriving = onRedirect(page, { signal: never })
    await fetch(`${redirectUri}?code=c&state=s1`)
    expect((await arriving).toString()).toContain('code=c')
  })

  it('is of the person it was begun with: others at the same time are of others', async () => {
    const { redirectUri, onRedirect } = await open()
    const other = new URL('https://issuer.example/authorize?state=s2')
    const [one, two] = [onRedirect(page, { signal: never }), onRedirect(other, { signal: never })]
    await fetch(`${redirectUri}?code=of-two&state=s2`)
    await fetch(`${redirectUri}?code=of-one&state=s1`)
    expect([String(await one), String(await two)]).toEqual([
      expect.stringContaining('of-one'),
      expect.stringContaining('of-two'),
    ])
  })

  it('whose state was pushed to the issuer takes whatever state comes back', async () => {
    const { redirectUri, onRedirect } = await open()
    const pushed = new URL('https://issuer.example/authorize?client_id=c&request_uri=urn:x')
    const arriving = onRedirect(pushed, { signal: never })
    await fetch(`${redirectUri}?code=c&state=whatever`)
    expect(String(await arriving)).toContain('state=whatever')
  })

  it('is not waited for longer than that', async () => {
    const clock = new TestClock()
    const { onRedirect } = await open({ clock, timeoutMs: 1_000 })
    const arriving = onRedirect(page, { signal: never })
    clock.advance(1_000)
    await expect(arriving).rejects.toThrow(TimeoutError)
    await expect(arriving).rejects.toThrow('The sign-in was not answered within 1000 ms')
    expect(clock.pending).toBe(0)
  })

  it('may take for ever', async () => {
    const clock = new TestClock()
    const { redirectUri, onRedirect } = await open({ clock, timeoutMs: 0 })
    const arriving = onRedirect(page, { signal: never })
    expect(clock.pending).toBe(0)
    await fetch(`${redirectUri}?code=c&state=s1`)
    await arriving
  })

  it('ends when nobody waits for it, or it is closed', async () => {
    const { redirectUri, onRedirect, close } = await open()
    const aborting = new AbortController()
    const aborted = onRedirect(page, { signal: aborting.signal })
    aborting.abort()
    await expect(aborted).rejects.toThrow(CancelledError)
    await expect(onRedirect(page, { signal: aborting.signal })).rejects.toThrow(CancelledError)
    expect((await fetch(`${redirectUri}?code=c&state=s1`)).status).toBe(404)
    const closed = onRedirect(page, { signal: never })
    await close()
    await close()
    await expect(closed).rejects.toThrow(CancelledError)
    await expect(fetch(redirectUri)).rejects.toThrow('fetch failed')
  })

  it.each(['file:///etc/passwd', 'javascript:alert(1)', 'ms-settings:x'])(
    'opens nothing but pages of the web: %s',
    async (odd) => {
      const [onUrl, openUrl] = [vi.fn(), vi.fn(async () => {})]
      const { onRedirect } = await open({ onUrl, openUrl })
      await expect(onRedirect(new URL(odd), { signal: never })).rejects.toThrow(AuthorizationError)
      expect(onUrl).not.toHaveBeenCalled()
      expect(openUrl).not.toHaveBeenCalled()
    },
  )

  it.each([
    { port: -1 },
    { port: 70_000 },
    { path: 'callback' },
    { path: '/a?b' },
    { onUrl: 1 },
    { browser: true },
  ])('refuses %j', async (options) => {
    await expect(open(options as object)).rejects.toThrow(ConfigError)
  })

  it('refuses a port that is taken', async () => {
    const { redirectUri } = await open()
    const port = Number(new URL(redirectUri).port)
    await expect(open({ port })).rejects.toThrow(`port: cannot listen on 127.0.0.1:${port}: `)
  })
})

describe('what else comes to the port is not there', () => {
  it.each<[what: string, how: (port: string) => { path: string; method?: string; host?: string }]>([
    ['another path', () => ({ path: '/callback/?code=c&state=s1' })],
    ['another path that begins alike', () => ({ path: '/callbacks?code=c&state=s1' })],
    ['a path that leads there', () => ({ path: '/x/../callback?code=c&state=s1' })],
    ['another spelling', () => ({ path: '/%63allback?code=c&state=s1' })],
    ['the root', () => ({ path: '/' })],
    ['an icon', () => ({ path: '/favicon.ico' })],
    ['nothing of an answer', () => ({ path: '/callback' })],
    ['no code', () => ({ path: '/callback?state=s1' })],
    ['no state', () => ({ path: '/callback?code=c' })],
    ['another state', () => ({ path: '/callback?code=c&state=s2' })],
    ['two states', () => ({ path: '/callback?code=c&state=s1&state=s1' })],
    ['two codes', () => ({ path: '/callback?code=c&code=d&state=s1' })],
    ['a code and an error', () => ({ path: '/callback?code=c&error=e&state=s1' })],
    ['an absolute address', (port) => ({ path: `http://127.0.0.1:${port}/callback?code=c&state=s1` })],
    ['a network path', () => ({ path: '//evil.example/callback?code=c&state=s1' })],
    ['a form', () => ({ path: '/callback?code=c&state=s1', method: 'POST' })],
    ['a question for its head', () => ({ path: '/callback?code=c&state=s1', method: 'HEAD' })],
    ['another name', () => ({ path: '/callback?code=c&state=s1', host: 'evil.example' })],
    ['another port', () => ({ path: '/callback?code=c&state=s1', host: '127.0.0.1' })],
  ])('%s', async (_, how) => {
    const { redirectUri, onRedirect } = await open()
    const arriving = onRedirect(page, { signal: never })
    const { port } = new URL(redirectUri)
    expect(await status(port, how(port))).toBe(404)
    expect(await status(port, { path: '/callback?code=good&state=s1' })).toBe(200)
    expect(String(await arriving)).toContain('code=good')
    expect(await status(port, { path: '/callback?code=again&state=s1' })).toBe(404)
  })
})

describe('an address that is pasted', () => {
  it('counts as if the browser had come', async () => {
    const asked = deferred<string>()
    const pasteRedirect = vi.fn(() => asked.promise)
    const { redirectUri, onRedirect } = await open({ pasteRedirect })
    const arriving = onRedirect(page, { signal: never })
    asked.resolve(` ${redirectUri}?code=c&state=s1\n`)
    expect(String(await arriving)).toBe(`${redirectUri}?code=c&state=s1`)
  })

  it('is not waited for when the browser comes', async () => {
    const pasteRedirect = vi.fn((_: { signal: AbortSignal }) => new Promise<string>(() => {}))
    const { redirectUri, onRedirect } = await open({ pasteRedirect })
    const arriving = onRedirect(page, { signal: never })
    await fetch(`${redirectUri}?code=c&state=s1`)
    await arriving
    expect(pasteRedirect.mock.calls[0]?.[0].signal.aborted).toBe(true)
  })

  it('that is none is asked for again, with a complaint that does not repeat it', async () => {
    const complaints: (string | undefined)[] = []
    const pasted = [
      '',
      'hush',
      'http://127.0.0.1:1/callback?code=hush&state=s1',
      'REDIRECT?code=hush&state=s2',
    ]
    const { redirectUri, onRedirect } = await open({
      pasteRedirect: async ({ complaint }) => {
        complaints.push(complaint)
        return (pasted.shift() ?? 'REDIRECT?code=c&state=s1').replace('REDIRECT', redirectUri)
      },
    })
    expect(String(await onRedirect(page, { signal: never }))).toContain('code=c')
    expect(complaints).toEqual([
      undefined,
      ...Array(3).fill(expect.stringContaining(`must begin with ${redirectUri}?`)),
      expect.stringContaining('of another sign-in'),
    ])
    expect(complaints.join()).not.toContain('hush')
  })

  it('is not asked for without end', async () => {
    const { onRedirect } = await open({ pasteRedirect: async () => 'no' })
    await expect(onRedirect(page, { signal: never })).rejects.toThrow(AuthorizationError)
  })

  it('that cannot be asked for ends the sign-in', async () => {
    const { onRedirect } = await open({ pasteRedirect: () => Promise.reject(new Error('no terminal')) })
    await expect(onRedirect(page, { signal: never })).rejects.toThrow('no terminal')
  })
})

describe('the page at the end', () => {
  it.each([
    ['code=c', 'Access granted'],
    ['error=access_denied', 'Access refused'],
    ['error=server_error', 'The sign-in failed'],
  ])('of %s says: %s', async (answer, title) => {
    const { redirectUri, onRedirect } = await open({ appName: 'An <app> & "more"' })
    const arriving = onRedirect(page, { signal: never })
    const lure = encodeURIComponent('<script>alert(1)</script> call this number')
    const response = await fetch(
      `${redirectUri}?${answer}&state=s1&error_description=${lure}&error_uri=https://evil.example`,
    )
    const body = await response.text()
    await arriving
    expect(body).toContain(`<h1>${title}</h1>`)
    expect(body).toContain('An &#60;app&#62; &#38; &#34;more&#34;')
    expect(body).not.toMatch(/script|number|evil|<app>/)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': expect.stringMatching(/^default-src 'none'; style-src 'sha256-[^']+'; /),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
    })
  })
})

function status(
  port: string,
  { host, ...how }: { path: string; method?: string; host?: string },
): Promise<number> {
  const headers = { host: host ?? `127.0.0.1:${port}` }
  return new Promise((resolve, reject) => {
    const asking = ask({ host: '127.0.0.1', port, headers, ...how }, (response) => {
      response.resume()
      resolve(response.statusCode ?? 0)
    })
    asking.on('error', reject).end()
  })
}
