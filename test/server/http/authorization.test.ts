import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { McpServer } from '../../../src/server/index.ts'
import { asking } from '../input/asking.ts'
import { modern, send, serve, type Wanted } from './harness.ts'

const authorization = {
  verify: async (token: string) => (token.startsWith('of-') ? token.slice(3) : undefined),
  resourceMetadataUrl: 'https://example.com/.well-known/oauth-protected-resource',
}

const by = (token: string, wanted: Wanted): Wanted => ({
  ...wanted,
  headers: { ...wanted.headers, authorization: token },
})

describe('with authorization', () => {
  it.each([
    [undefined, 'Bearer resource_metadata="https://example.com/.well-known/oauth-protected-resource"'],
    ['Basic of-ada', 'Bearer resource_metadata='],
    ['Bearer ', 'Bearer resource_metadata='],
    ['Bearer forged', 'Bearer error="invalid_token", resource_metadata='],
  ])('%s is challenged', async (token, challenge) => {
    const { url } = await serve(asking().server, { authorization, legacy: true })
    for (const wanted of [modern('tools/list'), { verb: 'GET' }]) {
      const { status, headers } = await send(url, token === undefined ? wanted : by(token, wanted))
      expect([status, headers['www-authenticate']]).toEqual([401, expect.stringContaining(challenge)])
    }
  })

  it('handlers know who asks', async () => {
    const server = new McpServer({ name: 'personal' })
    server.tool('who', {}, (_, { principal }) => String(principal))
    const { url } = await serve(server, { authorization })
    const { body } = await send(url, by('Bearer of-ada', modern('tools/call', { name: 'who' })))
    expect(body).toMatchObject({ result: { content: [{ text: 'ada' }] } })
  })

  it('a request state is good for whom it was made', async () => {
    const { url } = await serve(asking().server, { authorization })
    const meta = { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } }
    const call = async (token: string, retry: JsonObject = {}) =>
      (await send(url, by(token, modern('tools/call', { name: 'name', ...retry }, meta)))).body
    const { requestState } = (await call('Bearer of-ada')).result as { requestState: string }
    const inputResponses = { 'elicitation-1': { action: 'accept', content: { name: 'Ada' } } }
    expect(await call('Bearer of-bob', { requestState, inputResponses })).toMatchObject({
      error: { code: -32602 },
    })
    expect(await call('Bearer of-ada', { requestState, inputResponses })).toMatchObject({
      result: { resultType: 'complete' },
    })
  })

  it('a session is found by whose it is', async () => {
    const { url } = await serve(asking().server, { authorization, legacy: true })
    const body = (method: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method,
      params: { protocolVersion: '2025-11-25', capabilities: {} },
    })
    const { headers } = await send(url, by('Bearer of-ada', { body: body('initialize') }))
    const session = { 'mcp-session-id': String(headers['mcp-session-id']) }
    const ping = async (token: string) =>
      (await send(url, by(token, { headers: session, body: body('ping') }))).status
    expect([await ping('Bearer of-bob'), await ping('Bearer of-ada')]).toEqual([404, 200])
  })
})
