import { json } from '../answer-stream.ts'
import type { HttpRequest, HttpResponse } from '../wire.ts'
import type { Authorization } from './authorization.ts'
import { type Identification, identify } from './identify.ts'

/** What an endpoint does about tokens: reads them, says what is wrong with them, and where good ones are to be had. */
export class Guard {
  readonly #authorization: Authorization
  readonly #metadata: { readonly path: string; readonly text: string } | undefined
  readonly #metadataUrl: string | undefined

  /** `url`: what the server is called when its author does not say. */
  constructor(authorization: Authorization, url: string | undefined) {
    const { authorizationServers, resource = url, resourceMetadataUrl } = authorization
    this.#authorization = authorization
    this.#metadataUrl = resourceMetadataUrl
    if (authorizationServers === undefined || resource === undefined) return
    const { pathname } = new URL(resource)
    const path = `/.well-known/oauth-protected-resource${pathname === '/' ? '' : pathname}`
    this.#metadata = { path, text: metadataText(authorization, resource) }
    this.#metadataUrl = new URL(path, resource).href
  }

  /** Where the metadata is served; undefined where it is not. */
  get metadataPath(): string | undefined {
    return this.#metadata?.path
  }

  /** Scopes that every request needs. */
  get requiredScopes(): readonly string[] {
    return this.#authorization.requiredScopes ?? []
  }

  /** False for what is no request for the metadata. */
  serveMetadata(request: HttpRequest, response: HttpResponse): boolean {
    if (!this.#metadata || request.path !== this.#metadata.path) return false
    if (request.verb === 'GET') response.answer(200, json, this.#metadata.text)
    else response.answer(405, { allow: 'GET' })
    return true
  }

  identify(request: HttpRequest): Promise<Identification> {
    return identify(request, this.#authorization.verify)
  }

  /** For `WWW-Authenticate`: what was wrong, all scopes that are needed, and where to learn how to get a token. */
  challenge(error: string | undefined, scopes: readonly string[] = this.requiredScopes): string {
    const parts = {
      error,
      scope: scopes.length > 0 ? scopes.join(' ') : undefined,
      resource_metadata: this.#metadataUrl,
    }
    const given = Object.entries(parts).filter(([, value]) => value !== undefined)
    return `Bearer ${given.map(([name, value]) => `${name}="${value}"`).join(', ')}`.trimEnd()
  }
}

function metadataText(authorization: Authorization, resource: string): string {
  const { authorizationServers, requiredScopes, scopesSupported = requiredScopes } = authorization
  const { resourceName, resourceDocumentation } = authorization
  return JSON.stringify({
    resource,
    authorization_servers: authorizationServers,
    scopes_supported: scopesSupported,
    bearer_methods_supported: ['header'],
    resource_name: resourceName,
    resource_documentation: resourceDocumentation,
  })
}
