import { createRemoteJWKSet, jwtVerify } from 'jose'
import { onTestFinished } from 'vitest'
import { type Authorization, McpServer, serveHttp } from '../../src/server/index.ts'
import type { Issuer } from './issuer.ts'

export interface ProtectedServer {
  readonly url: string
  /** The tokens it was shown, and took. */
  readonly tokens: readonly string[]
  /** Takes none of those any more. */
  refuseTokens(): void
}

/** A server that lets in whom that issuer vouches for, with a token that is meant for it; or anybody, where it `isOpen`. */
export async function startProtectedServer(
  issuer: Issuer,
  { isOpen = false } = {},
): Promise<ProtectedServer> {
  const tokens: string[] = []
  const refused = new Set<string>()
  const jwks = createRemoteJWKSet(new URL(`${issuer.url}/jwks`))
  const server = new McpServer({ name: 'notes', version: '1.0.0' })
  server.tool('count', { description: 'How many notes there are.' }, () => 'three notes')
  server.tool('leak', { description: 'Says what it should not.' }, () => tokens.at(-1) ?? '')
  const authorization: Authorization = {
    authorizationServers: [issuer.url],
    requiredScopes: ['notes:read'],
    async verify(token) {
      const options = { issuer: issuer.url, audience: serving.url }
      const verified = await jwtVerify(token, jwks, options).catch(() => undefined)
      if (!verified || refused.has(token)) return undefined
      tokens.push(token)
      const { sub = '', scope, exp = 0 } = verified.payload
      return { principal: sub, scopes: String(scope).split(' '), expiresAt: exp * 1_000 }
    },
  }
  const serving = await serveHttp(server, { port: 0, ...(!isOpen && { authorization }) })
  onTestFinished(() => serving.close())
  const refuseTokens = () => {
    for (const token of tokens) refused.add(token)
  }
  return { url: serving.url, tokens, refuseTokens }
}
