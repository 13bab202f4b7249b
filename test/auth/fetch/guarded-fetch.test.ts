import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { createGuardedFetch, type GuardedFetchOptions } from '../../../src/auth/fetch/guarded-fetch.ts'
import { nextRequest } from '../../../src/auth/fetch/next-request.ts'
import { AuthorizationError, ConfigError, HttpError } from '../../../src/errors.ts'
import { startForwardProxy } from '../../fixtures/proxies/forward.ts'

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

const json: RequestListener = (_, response) =>
  response.writeHead(200, { 'content-type': 'application/json' }).end('{"issuer":"x"}')

describe('what is asked of this machine', () => {
  it('is answered as by any fetch', async () => {
    const seen: { request: IncomingMessage; body: string }[] = []
    const origin = await serve(async (request, response) => {
      seen.push({ request, body: await text(request) })
      response.writeHead(201, { 'content-type': 'application/json', 'set-cookie': ['a=1', 'b=2'] })
      response.end('{"issuer":"ü"}')
    })
    const fetch = createGuardedFetch()
    const response = await fetch(`${origin}/token?a=b`, {
      method: 'POST',
      headers: { authorization: 'Basic abc' },
      body: new URLSearchParams({ grant_type: 'refresh_token' }),
    })
    expect(response).toBeInstanceOf(Response)
    expect(response).toMatchObject({ status: 201, ok: true, url: `${origin}/token?a=b` })
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
    expect(await response.json()).toEqual({ issuer: 'ü' })
    expect(seen[0]).toMatchObject({
      body: 'grant_type=refresh_token',
      request: { method: 'POST', url: '/token?a=b' },
    })
    expect(seen[0]?.request.headers).toMatchObject({
      authorization: 'Basic abc',
      'content-type': 'application/x-www-form-urlencoded;charset=UTF-8',
      'accept-encoding': 'identity',
    })
  })

  it('may be answered with nothing', async () => {
    const origin = await serve((_, response) => response.writeHead(204).end())
    const response = await createGuardedFetch()(origin)
    expect([response.status, await response.text()]).toEqual([204, ''])
  })

  it('is not asked where it may not be', async () => {
    const origin = await serve(json)
    const fetch = createGuardedFetch({ allowLoopback: false })
    await expect(fetch(origin)).rejects.toThrow(AuthorizationError)
  })
})

describe('a name', () => {
  it('is looked up once, and what it was found at is what is connected to', async () => {
    const origin = await serve(json)
    const { port } = new URL(origin)
    const lookup = vi.fn(async () => [{ address: '127.0.0.1', family: 4 }])
    const response = await createGuardedFetch({ lookup })(`http://anything.localhost:${port}/`)
    expect(response.status).toBe(200)
    expect(lookup.mock.calls).toEqual([['anything.localhost']])
  })

  it('that leads to this machine without saying so is not connected to', async () => {
    const seen = vi.fn(json)
    const { port } = new URL(await serve(seen))
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    const failure = await failureOf(`https://issuer.example:${port}/`, { lookup })
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure.message).toContain('issuer.example is at 127.0.0.1')
    expect(seen).not.toHaveBeenCalled()
  })

  it('with one bad address among good ones is not connected to at all', async () => {
    const lookup = async () => [
      { address: '8.8.8.8', family: 4 },
      { address: 'fd12::1', family: 6 },
    ]
    const failure = await failureOf('https://issuer.example/', { lookup })
    expect(failure.message).toContain('issuer.example is at fd12::1')
  })

  it('that does not exist is said to', async () => {
    const failure = await failureOf('https://issuer.invalid/')
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure.message).toMatch(
      /^issuer\.invalid: (there is no such host|the name could not be looked up)/,
    )
  })

  it('has a proxy’s way where the environment names one', async () => {
    const proxy = await startForwardProxy({ refuse: 502 })
    onTestFinished(() => proxy.close())
    vi.stubEnv('https_proxy', `http://127.0.0.1:${proxy.port}`)
    vi.stubEnv('no_proxy', 'direct.example')
    const addresses: { readonly [name: string]: string } = {
      'intranet.example': '10.0.0.1',
      'direct.example': '10.0.0.2',
    }
    const lookup = async (name: string) => {
      const address = addresses[name]
      if (address === undefined) throw new Error('only the proxy knows')
      return [{ address, family: 4 }]
    }
    const proxied = await failureOf('https://issuer.example/', { lookup })
    expect(proxied.message).toContain(`the environment names a proxy: 127.0.0.1:${proxy.port}`)
    expect(proxy.asked.map(({ line }) => line)).toEqual(['CONNECT issuer.example:443'])
    for (const name of Object.keys(addresses))
      expect((await failureOf(`https://${name}/`, { lookup })).message).toContain('private network')
    expect(proxy.asked).toHaveLength(1)
  })
})

describe('a redirect', () => {
  it('is followed within an origin, with what was sent', async () => {
    const origin = await serve(async (request, response) => {
      if (request.url === '/a') return response.writeHead(308, { location: '/b?c' }).end()
      response.end(`${request.method} ${request.url} ${request.headers.authorization} ${await text(request)}`)
    })
    const response = await createGuardedFetch()(`${origin}/a`, {
      method: 'POST',
      headers: { authorization: 'Bearer x' },
      body: 'body',
    })
    expect(await response.text()).toBe('POST /b?c Bearer x body')
    expect(response.url).toBe(`${origin}/b?c`)
  })

  it('to another origin is followed without credentials', async () => {
    const other = await serve((request, response) => response.end(JSON.stringify(request.headers)))
    const origin = await serve((_, response) => response.writeHead(302, { location: other }).end())
    const headers = { authorization: 'Bearer x', cookie: 'a=b', dpop: 'proof', accept: 'application/json' }
    const response = await createGuardedFetch()(origin, { headers })
    const received = await response.json()
    expect(received).toMatchObject({ accept: 'application/json' })
    for (const name of ['authorization', 'cookie', 'dpop']) expect(received).not.toHaveProperty(name)
  })

  it('is given back to who wants to see it', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(302, { location: 'http://10.0.0.1/' }).end(),
    )
    const response = await createGuardedFetch()(origin, { redirect: 'manual' })
    expect([response.status, response.headers.get('location')]).toEqual([302, 'http://10.0.0.1/'])
  })

  it.each([
    [
      'to a private address',
      'https://192.168.0.1/',
      /redirects \(302\) astray: 192\.168\.0\.1 is at .* private network/,
    ],
    ['to where clouds keep secrets', 'https://169.254.169.254/', /secrets of their machines/],
    ['to what is not encrypted', 'http://issuer.example/', /is not encrypted/],
    ['to what is not on the web', 'file:///etc/passwd', /file: is no way/],
    ['to what is no URL', 'https://', /to what is no URL/],
    ['with credentials', 'https://a:hush@issuer.example/', /holds credentials/],
  ])('%s is refused', async (_, location, reason) => {
    const origin = await serve((_request, response) => response.writeHead(302, { location }).end())
    const failure = await failureOf(origin)
    expect(failure).toBeInstanceOf(AuthorizationError)
    expect(failure.message).toMatch(reason)
    expect(failure.message).not.toContain('hush')
  })

  it('to a name that leads to this machine is refused when it is looked up', async () => {
    const origin = await serve((_, response) =>
      response.writeHead(302, { location: 'https://issuer.example/' }).end(),
    )
    const lookup = async () => [{ address: '127.0.0.1', family: 4 }]
    expect((await failureOf(origin, { lookup })).message).toContain('issuer.example is at 127.0.0.1')
  })

  it('without end is refused', async () => {
    const origin = await serve((_, response) => response.writeHead(302, { location: '/again' }).end())
    expect((await failureOf(origin)).message).toMatch(/redirected more than 5 times$/)
  })

  it.each([
    [303, '/elsewhere'],
    [302, '/elsewhere'],
    [307, 'http://localhost:1/'],
  ])(
    '(%i) that would lose what was sent, or give it to another origin, is refused',
    async (status, location) => {
      const origin = await serve((_, response) => response.writeHead(status, { location }).end())
      const sending = createGuardedFetch()(origin, { method: 'POST', body: 'client_secret=hush' })
      await expect(sending).rejects.toThrow(/what was sent may hold credentials/)
    },
  )

  const answer = (location: string) => ({ status: 302, headers: new Headers({ location }) })
  const request = { method: 'GET', headers: new Headers(), body: undefined }
  const rules = { allowPrivateNetwork: true, allowLoopback: true }

  it.each([
    [
      'from https to http',
      'https://localhost/',
      'http://localhost/',
      /to http:\/\/localhost, which is not encrypted/,
    ],
    [
      'from elsewhere to this machine',
      'https://issuer.example/',
      'https://127.0.0.1/',
      /which is this machine/,
    ],
  ])('%s is refused whatever is allowed', (_, from, to, reason) => {
    expect(() => nextRequest({ ...request, url: new URL(from) }, answer(to), rules)).toThrow(reason)
  })
})

describe('an answer', () => {
  it('that is too large is refused, with or without a length', async () => {
    for (const headers of [{ 'content-length': '2000' }, {}]) {
      const origin = await serve((_, response) => response.writeHead(200, headers).end('x'.repeat(2_000)))
      const failure = await failureOf(origin, { maxBytes: 1_000 })
      expect(failure).toBeInstanceOf(HttpError)
      expect(failure.message).toMatch(/answers with more than 1000 bytes \(maxBytes\)/)
    }
  })

  it('that is packed is not unpacked', async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000))
    const origin = await serve((_, response) =>
      response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
    )
    expect((await (await createGuardedFetch()(origin)).text()).length).toBeLessThan(100_000)
  })

  it.each([
    ['that never comes', (): void => {}],
    [
      'that never ends',
      (response: Parameters<RequestListener>[1]) => void response.writeHead(200).write('{'),
    ],
  ])('%s is not waited for without end', async (_, answer) => {
    const origin = await serve((_request, response) => answer(response))
    const failure = await failureOf(origin, { timeoutMs: 50 })
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure.message).toContain('did not answer within 50 ms (timeoutMs)')
  })

  it('is not waited for by who aborts', async () => {
    const aborting = new AbortController()
    const origin = await serve(() => aborting.abort(new Error('enough')))
    await expect(createGuardedFetch()(origin, { signal: aborting.signal })).rejects.toThrow('enough')
    await expect(createGuardedFetch()(origin, { signal: aborting.signal })).rejects.toThrow('enough')
  })

  it('from nobody is explained', async () => {
    const failure = await failureOf('http://127.0.0.1:1/')
    expect(failure).toBeInstanceOf(HttpError)
    expect(failure.message).toContain('127.0.0.1:1: nothing listens there')
  })
})

it.each([{ allowPrivateNetwork: 1 }, { maxBytes: 0 }, { proxy: true }])(
  'refuses %j as options',
  (options) => {
    expect(() => createGuardedFetch(options as GuardedFetchOptions)).toThrow(ConfigError)
  },
)

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function failureOf(url: string, options: GuardedFetchOptions = {}): Promise<Error> {
  const outcome = await createGuardedFetch(options)(url).catch((error: unknown) => error)
  expect(outcome).toBeInstanceOf(Error)
  return outcome as Error
}
