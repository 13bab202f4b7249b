import { createServer } from 'node:https'
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { ConfigError } from '../../../src/errors.ts'
import { HttpTransport } from '../../../src/transports/http/http-transport.ts'
import { type ForwardProxy, startForwardProxy } from '../../fixtures/proxies/forward.ts'
import { json, never, opened, Recorder, request, result, serve, stream } from './harness.ts'
import { selfSigned } from './self-signed.ts'

beforeEach(() => {
  for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'no_proxy'])
    vi.stubEnv(name, undefined)
})

afterEach(() => {
  vi.unstubAllEnvs()
})

async function proxied(options: Parameters<typeof startForwardProxy>[0] = {}): Promise<ForwardProxy> {
  const proxy = await startForwardProxy(options)
  onTestFinished(() => proxy.close())
  return proxy
}

/** A server that only a proxy can find. */
async function hidden() {
  const server = await serve(({ message }, response) => json(response, result(message.id)))
  return { ...server, url: `http://server.test:${server.port}/mcp` }
}

describe('a proxy that the environment names', () => {
  it('is used for http, with its credentials', async () => {
    const proxy = await proxied()
    const server = await hidden()
    vi.stubEnv('HTTP_PROXY', `http://me:hush@127.0.0.1:${proxy.port}`)
    const { transport, record } = await opened({ url: server.url, headers: { x: '1' } })
    for (const id of [1, 2]) {
      transport.send(request(id))
      await record.answer(id)
    }
    const authorization = `Basic ${Buffer.from('me:hush').toString('base64')}`
    expect(proxy.asked).toEqual(Array(2).fill({ line: `POST ${server.url}`, authorization }))
    expect(server.seen[0]?.headers).toMatchObject({ host: `server.test:${server.port}`, x: '1' })
    expect(server.seen[0]?.headers).not.toHaveProperty('proxy-authorization')
  })

  it('is asked for a tunnel for https', async () => {
    const proxy = await proxied()
    const server = createServer(selfSigned('server.test'))
    const { port } = await serve((_, response) => json(response, '{}'), server)
    vi.stubEnv('https_proxy', `http://127.0.0.1:${proxy.port}`)
    const { transport, record } = await opened(`https://server.test:${port}/mcp`)
    transport.send(request(1))
    const { failure, wasRefused } = await record.failure(1)
    expect(proxy.asked.map(({ line }) => line)).toEqual([`CONNECT server.test:${port}`])
    expect(failure.message).toMatch(/no secure connection to server\.test: its certificate is self-signed/)
    expect(wasRefused).toBe(true)
  })

  it('delivers streams as they come, and abandons what is abandoned', async () => {
    const proxy = await proxied()
    const server = await serve((_, response) => stream(response))
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`)
    const { transport, record } = await opened(`http://server.test:${server.port}/mcp`)
    transport.send(request(1))
    const { response, left } = await server.request(() => true)
    response.write('data: {"jsonrpc":"2.0","method":"n"}\n\n')
    await record.next('message')
    transport.abandon(1)
    await left
    expect(record.names).toEqual(['message'])
  })

  it.each([
    ['NO_PROXY names the server', 'server.test', { NO_PROXY: 'other,.test' }, {}],
    ['the options say so', 'server.test', {}, { proxy: false }],
    ['the server is this machine', '127.0.0.1', {}, {}],
  ])('is not used when %s', async (_, host, env, options) => {
    const proxy = await proxied()
    const server = await hidden()
    vi.stubEnv('HTTP_PROXY', `http://127.0.0.1:${proxy.port}`)
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const { transport, record } = await opened({ url: `http://${host}:${server.port}/mcp`, ...options })
    transport.send(request(1))
    // A name that only the proxy knows cannot be found without it.
    await record.until(({ heard }) => heard[0])
    expect(record.names).toEqual([host === '127.0.0.1' ? 'message' : 'failed'])
    expect(proxy.asked).toEqual([])
  })

  it.each(['http', 'https'])('and refuses is named beside the %s server', async (scheme) => {
    const proxy = await proxied({ refuse: 407 })
    vi.stubEnv('HTTP_PROXY', `http://me:hush@127.0.0.1:${proxy.port}`)
    const { transport, record } = await opened(`${scheme}://server.test:9/mcp`)
    transport.send(request(1))
    const { failure } = await record.failure(1)
    expect(failure).toMatchObject({ name: 'HttpError', status: 0 })
    expect(failure.message).toMatch(/^server\.test:9: .*407/)
    expect(failure.message).toMatch(`(the environment names a proxy: 127.0.0.1:${proxy.port})`)
    expect(failure.message).not.toMatch(/hush/)
  })

  it('must be a URL', async () => {
    vi.stubEnv('HTTP_PROXY', 'proxy 8080')
    const opening = new HttpTransport({ url: 'http://server.test' }).open(new Recorder(), never)
    await expect(opening).rejects.toThrow(ConfigError)
    await expect(opening).rejects.toThrow(/HTTP_PROXY holds no URL/)
  })
})
