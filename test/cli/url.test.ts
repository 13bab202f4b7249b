import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { json, troupe } from './harness.ts'

const token = 'Bearer open-sesame'
let url = ''

const server = createServer(async (request, response) => {
  if (request.headers.authorization !== token) {
    response.writeHead(401, { 'www-authenticate': 'Bearer realm="tests"' }).end()
    return
  }
  await answer(request, response)
})

beforeAll(async () => {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`
})

afterAll(() => {
  server.close()
  server.closeAllConnections()
})

describe('a server on a URL', () => {
  const header = ['--header', `Authorization: ${token}`]

  it('is listed and called like any other', async () => {
    const listed = await troupe(['tools', '--json', '--url', url, ...header])
    expect(json(listed.out)).toMatchObject({ tools: [{ name: 'shout' }] })
    const called = await troupe(['call', 'shout', 'text=hi', '--url', url, ...header])
    expect(called).toMatchObject({ exitCode: 0, out: 'HI\n' })
  })

  it('that wants authorization first ends with exit code 3, and says how to give it', async () => {
    const refused = await troupe(['tools', '--url', url])
    expect(refused.exitCode).toBe(3)
    expect(refused.err).toContain('--header')
  })

  it('that is not there ends with exit code 2, and names the address', async () => {
    const gone = await troupe(['tools', '--url', 'http://127.0.0.1:1/mcp'])
    expect(gone.exitCode).toBe(2)
    expect(gone.err).toContain('127.0.0.1:1')
  })
})

describe('a command line is refused', () => {
  it.each([
    ['with two servers', ['tools', '--url', 'http://127.0.0.1/', '--', 'node'], 'one server'],
    ['with a header and no URL', ['tools', '--header', 'A: b', '--', 'node'], '--url'],
    ['with a folder for a URL', ['tools', '--cwd', '/tmp', '--url', 'http://127.0.0.1/'], '--cwd'],
    [
      'with a header that is none',
      ['tools', '--header', 'secret', '--url', 'http://127.0.0.1/'],
      'Name: value',
    ],
    ['with a URL that is none', ['tools', '--url', 'example.com'], 'http://'],
  ])('%s', async (_, argv, hint) => {
    const refused = await troupe(argv)
    expect(refused.exitCode).toBe(1)
    expect(refused.err).toContain(hint)
    expect(refused.err).not.toContain('secret')
  })
})

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { id, method, params } = JSON.parse(await text(request))
  const results: { readonly [method: string]: object } = {
    'server/discover': { supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
    'tools/list': { tools: [{ name: 'shout', inputSchema: { type: 'object' } }] },
    'tools/call': { content: [{ type: 'text', text: String(params.arguments?.text).toUpperCase() }] },
  }
  response.writeHead(200, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { resultType: 'complete', ...results[method] } }))
}
