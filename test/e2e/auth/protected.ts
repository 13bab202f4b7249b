import type { AuthOptions } from '../../../src/index.ts'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { type BareExchange, type BareServer, bare, said } from '../http/bare.ts'
import { discovery, toolList } from '../http/modern.ts'
import type { Issuer } from './issuer.ts'

export interface Protection {
  readonly issuer: Issuer
  /** The scope that a tool wants, by its name. */
  readonly wants?: { readonly [tool: string]: string }
  /** What the server says about itself besides or instead of the truth; undefined: nothing at all. */
  readonly metadata?: (url: string) => JsonObject | undefined
  /** Whether a token is good; default what its issuer says. */
  readonly accepts?: (token: string) => boolean
  /** What tools answer, by name; default that they were called. */
  readonly tools?: { readonly [tool: string]: (exchange: BareExchange) => void }
  /** What every challenge says, instead of a scope and where the metadata is. */
  readonly challenge?: string
}

const metadataPath = '/.well-known/oauth-protected-resource/mcp'

/** A modern server that lets nobody in without a token. */
export async function protectedServer(protection: Protection): Promise<BareServer> {
  const { issuer, metadata, wants = {}, challenge, tools = {} } = protection
  const { accepts = (token) => issuer.scopesOf(token) !== undefined } = protection
  const described = (exchange: BareExchange) => {
    const resource = `http://${exchange.headers.host}/mcp`
    const own = metadata === undefined ? {} : metadata(resource)
    if (exchange.url !== metadataPath || !own) return exchange.send(404)
    exchange.json({ resource, authorization_servers: [issuer.url], ...own })
  }
  const guarded = (answer: (exchange: BareExchange) => void) => (exchange: BareExchange) => {
    const place = `resource_metadata="http://${exchange.headers.host}${metadataPath}"`
    const token = tokenOf(exchange)
    if (token === undefined || !accepts(token))
      return exchange.send(401, '', {
        'www-authenticate': `Bearer ${challenge ?? `scope="basic", ${place}`}`,
      })
    const scope = wants[String(exchange.tool)]
    if (scope === undefined || issuer.scopesOf(token)?.includes(scope)) return answer(exchange)
    const refused = `Bearer error="insufficient_scope", scope="${scope}", ${place}`
    exchange.send(403, '', { 'www-authenticate': refused })
  }
  return bare(
    {
      GET: described,
      'tools/list': guarded((exchange) => exchange.answer(toolList())),
      'server/discover': guarded((exchange) => exchange.answer(discovery)),
      'tools/call': guarded((exchange) => {
        const tool = tools[String(exchange.tool)]
        if (tool) tool(exchange)
        else exchange.answer(said(`${exchange.tool} was called`))
      }),
    },
    guarded((exchange) => exchange.refuse(404, -32601)),
  )
}

export function tokenOf({ headers }: BareExchange): string | undefined {
  return /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1]
}

/** The requests that carried messages. */
export function posts({ seen }: BareServer): readonly BareExchange[] {
  return seen.filter(({ verb }) => verb === 'POST')
}

/** Options of somebody whose person consents at once. */
export function consenting(more: AuthOptions = {}): AuthOptions {
  return {
    redirectUri: 'http://127.0.0.1:1/back',
    onRedirect: async (url) => {
      const { headers } = await fetch(url, { redirect: 'manual' })
      return headers.get('location') ?? ''
    },
    ...more,
  }
}
