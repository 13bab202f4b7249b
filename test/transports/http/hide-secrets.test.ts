import { describe, expect, it } from 'vitest'
import { describePath, withoutSecrets } from '../../../src/transports/http/hide-secrets.ts'
import { event, type Handler, never, opened, request, serve, stream } from './harness.ts'

describe('a path', () => {
  it.each([
    ['/mcp', '/mcp'],
    ['/', '/'],
    ['/mcp/', '/mcp/'],
    ['/mcp?key=hush&page=2', '/mcp'],
    ['/mcp?hush', '/mcp'],
    ['/mcp#hush', '/mcp'],
    ['/api/v1beta1/2025-11-25/mcp', '/api/v1beta1/2025-11-25/mcp'],
    ['/quite/long-but-plainly/readable-words-only', '/quite/long-but-plainly/readable-words-only'],
    ['/s/0123456789abcdef/mcp', '/s/***/mcp'],
    ['/s/c2VjcmV0LWtleS1vZi1tYW55/mcp', '/s/***/mcp'],
    ['/s/abcdefghijklmnopqrstuvwxyz/mcp', '/s/***/mcp'],
    ['/s/%68%75%73%68%68%75%73%68/mcp', '/s/***/mcp'],
    ['/123e4567-e89b-12d3-a456-426614174000/mcp', '/***/mcp'],
    ['/sk-01234567/mcp', '/***/mcp'],
    ['/ghp_01234567', '/***'],
    ['/key/hush/mcp', '/key/***/mcp'],
    ['/access_token/hush', '/access_token/***'],
    ['/api-key/', '/api-key/'],
  ])('%s is shown as %s', (path, shown) => {
    expect(describePath(path)).toBe(shown)
  })

  it('that is too long is cut', () => {
    const shown = describePath('/long'.repeat(100))
    expect(shown).toHaveLength(120)
    expect(shown.endsWith('…')).toBe(true)
  })
})

describe('what a server repeats', () => {
  it.each([
    ['Cannot POST /s/0123456789abcdef/mcp', 'Cannot POST /s/***/mcp'],
    ['no such key: hush!hush!', 'no such key: ***'],
    ['no such key: hush%21hush%21', 'no such key: ***'],
    ['page 2 of nothing', 'page 2 of nothing'],
    ['', ''],
  ])('%j comes without the secrets of its path', (text, shown) => {
    expect(withoutSecrets(text, '/s/0123456789abcdef/mcp?key=hush%21hush%21&page=2')).toBe(shown)
  })

  it.each(['/mcp?%', '/mcp?=', '/mcp?&&', '/mcp?a=%E0%A4%A', ''])('is kept under the path %j', (path) => {
    expect(withoutSecrets('as it is', path)).toBe('as it is')
  })
})

describe('no error tells the secrets of a URL', () => {
  const secrets = ['0123456789abcdef', 'hush-hush']
  const path = `/s/${secrets[0]}/mcp?key=${secrets[1]}`
  /** Repeats what it was asked for. */
  const echo =
    (status: number): Handler =>
    ({ url }, response) =>
      response.writeHead(status).end(`nothing at ${url}`)
  const redirect =
    (status: number, location: string): Handler =>
    (_, response) =>
      response.writeHead(status, { location }).end()

  it.each<readonly [string, Handler]>([
    ...[200, 400, 401, 403, 404, 405, 409, 413, 429, 500, 503].map(
      (status) => [`status ${status}`, echo(status)] as const,
    ),
    ['a redirect that loses the message', redirect(302, path)],
    ['a redirect in circles', redirect(307, path)],
    ['a redirect elsewhere', redirect(307, `http://me:hush-hush@example.com${path}`)],
    ['a redirect to nowhere', redirect(307, `http://me:hush-hush@:${path}`)],
    ['an empty answer', (_, response) => response.writeHead(200).end()],
    ['no answer', (_, response) => response.destroy()],
    ['no HTTP', (_, response) => response.socket?.end('0123456789abcdef hush-hush\r\n\r\n')],
    [
      'a stream that ends',
      (_, response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end(),
    ],
  ])('%s', async (_, handler) => {
    const server = await serve(handler)
    const { transport, record } = await opened(new URL(path, server.url).href)
    transport.send(request(1))
    const { failure } = await record.failure(1)
    const { message, bodyTail, cause } = failure as typeof failure & { bodyTail?: string }
    for (const secret of secrets) expect([message, bodyTail, String(cause)].join()).not.toContain(secret)
    expect(message).toContain(`127.0.0.1:${server.port}`)
  })

  it.each(['http://me:hush-hush@example.com/', 'http://me:hush-hush@'])(
    'an endpoint elsewhere: %s',
    async (place) => {
      const server = await serve((_, response) => {
        stream(response)
        response.write(event(place, { event: 'endpoint' }))
      })
      const { transport } = await opened(server.url)
      const failure = await transport.fallBack(never).catch((error: unknown) => error)
      expect(String(failure)).toContain('which is not its own origin')
      expect(String(failure)).not.toContain('hush-hush')
    },
  )
})
