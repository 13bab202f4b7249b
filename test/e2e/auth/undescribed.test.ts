import { createServer } from 'node:http'
import { expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import { listening } from '../../transports/http/harness.ts'
import { failureOf, textOf } from '../harness.ts'
import { discovery } from '../http/modern.ts'
import { Issuer } from './issuer.ts'
import { consenting } from './protected.ts'

/** A server that issues its tokens itself and says nothing about it. */
async function undescribed() {
  const http = createServer(async (request, response) => {
    if (request.url !== '/mcp') return as.answer(request, response)
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const { id, method } = JSON.parse(Buffer.concat(parts).toString())
    const token = request.headers.authorization?.replace('Bearer ', '') ?? ''
    if (!as.scopesOf(token)) return response.writeHead(401).end()
    const result = method === 'server/discover' ? discovery : { content: [{ type: 'text', text: 'called' }] }
    response
      .writeHead(200, { 'content-type': 'application/json' })
      .end(JSON.stringify({ jsonrpc: '2.0', id, result }))
  })
  const as = new Issuer(`http://127.0.0.1:${await listening(http)}`, { isSilent: true })
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return { as, url: `${as.url}/mcp` }
}

it('a server of 2025-03-26 that publishes nothing is signed in to where its own pages are, by those who trust it', async () => {
  const { as, url } = await undescribed()
  await using trusting = McpClient.connectHttp({ url, auth: consenting({ allowMissingMetadata: true }) })
  expect(textOf(await trusting.callTool('one'))).toBe('called')
  expect(as.authorizations[0]?.get('code_challenge_method')).toBe('S256')
  await using other = McpClient.connectHttp({ url, auth: consenting() })
  expect(String(await failureOf(other.callTool('one')))).toMatch(
    /publishes no metadata.+auth\.allowMissingMetadata/,
  )
  expect(as.authorizations).toHaveLength(1)
})
