import { describe, expect, it } from 'vitest'
import { json, opened, request, result, serve } from './harness.ts'

describe('a redirect', () => {
  it.each([307, 308])('with %d within the origin is followed with the message', async (status) => {
    const server = await serve(({ url, message }, response) => {
      if (url === '/mcp') response.writeHead(status, { location: '/mcp/?x=1' }).end('moved')
      else json(response, result(message.id))
    })
    const { transport, record } = await opened({ url: server.url, headers: { authorization: 'hush' } })
    transport.send(request(1))
    await record.answer(1)
    expect(server.seen[1]).toMatchObject({ method: 'POST', url: '/mcp/?x=1', text: server.seen[0]?.text })
    expect(server.seen[1]?.headers).toMatchObject({
      authorization: 'hush',
      'content-type': 'application/json',
    })
  })

  it('may be relative to the one before', async () => {
    const steps: Record<string, string> = { '/mcp': 'a/b', '/a/b': './c', '/a/c': 'http://127.0.0.1:' }
    const server = await serve(({ url, message }, response) => {
      const step = steps[url]
      if (step === undefined) return json(response, result(message.id))
      const location = step.startsWith('http') ? `${step}${server.port}/end` : step
      response.writeHead(307, { location }).end()
    })
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    await record.answer(1)
    expect(server.seen.map(({ url }) => url)).toEqual(['/mcp', '/a/b', '/a/c', '/end'])
  })

  it('is followed five times', async () => {
    const server = await serve((_, response) => response.writeHead(307, { location: '/mcp' }).end())
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    const { failure } = await record.failure(1)
    expect(failure.message).toMatch(/redirected 5 times/)
    expect(server.seen).toHaveLength(6)
  })

  it.each(['http://localhost', 'https://127.0.0.1'])(
    'to %s is not followed: that is elsewhere',
    async (origin) => {
      const server = await serve(({ url }, response) => {
        if (url === '/mcp') response.writeHead(308, { location: `${origin}:${server.port}/stolen` }).end()
      })
      const { transport, record } = await opened(server.url)
      transport.send(request(1))
      const { failure, wasRefused } = await record.failure(1)
      expect(failure).toMatchObject({ name: 'HttpError', status: 308 })
      expect(failure.message).toMatch(`redirects (308) to ${origin}:${server.port}, which is not followed`)
      expect(failure.message).toMatch(/put its address into url/)
      expect(wasRefused).toBe(true)
      expect(server.seen).toHaveLength(1)
    },
  )

  it.each([
    [301, true],
    [302, true],
    [303, false],
  ])('with %d would lose the message and is refused', async (status, refused) => {
    const server = await serve((_, response) => response.writeHead(status, { location: '/mcp/' }).end())
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    const { failure, wasRefused } = await record.failure(1)
    expect(failure).toMatchObject({ status })
    expect(failure.message).toMatch(/to \/mcp\/ in a way that loses the message; put that path into url/)
    expect(wasRefused).toBe(refused)
  })

  it.each([{}, { location: 'http://' }])('that leads nowhere (%j) is refused', async (headers) => {
    const server = await serve((_, response) => response.writeHead(307, headers).end())
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    expect((await record.failure(1)).failure.message).toMatch(/without saying where to/)
  })
})
