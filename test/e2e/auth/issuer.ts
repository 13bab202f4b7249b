import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import type { JsonObject } from '../../../src/protocol/json-rpc.ts'
import { listening } from '../../transports/http/harness.ts'

/** What of an authorization server a test wants to be otherwise. */
export interface Oddities {
  readonly metadata?: (url: string) => JsonObject
  /** Whether it publishes no metadata. */
  readonly isSilent?: boolean
  /** What a client that registers is told besides. */
  readonly registered?: (url: string) => JsonObject
  /** Where a person who consented is sent. */
  readonly redirect?: (to: URL) => URL
  /** What a token endpoint answers besides. */
  readonly answer?: JsonObject
  /** Scopes that nobody gets. */
  readonly withheld?: readonly string[]
}

interface Grant {
  readonly scopes: readonly string[]
  /** One sign-in, over all its refreshes. */
  readonly family: string
}

/** An authorization server of a few lines: everybody consents at once, refresh tokens rotate, and a second use of one ends the sign-in. */
export class Issuer {
  readonly url: string
  readonly #oddities: Oddities
  /** The query of each sign-in. */
  readonly authorizations: URLSearchParams[] = []
  /** The form of each request for a token, with the headers it came with. */
  readonly tokenRequests: (Record<string, string> & { readonly grant_type?: string })[] = []
  readonly registrations: JsonObject[] = []
  readonly #codes = new Map<string, Grant>()
  readonly #access = new Map<string, Grant>()
  readonly #refresh = new Map<string, Grant>()
  readonly #spent = new Map<string, Grant>()
  #forgotten: readonly string[] = []
  /** Whether it has no time for whoever wants a token. */
  isBusy = false

  constructor(url: string, oddities: Oddities) {
    this.url = url
    this.#oddities = oddities
  }

  /** The scopes of a token that is good, else undefined. */
  scopesOf(token: string): readonly string[] | undefined {
    return this.#access.get(token)?.scopes
  }

  /** Every access token is worth nothing from now on; the sign-ins go on. */
  expireAll(): void {
    this.#access.clear()
  }

  /** And so are the sign-ins. */
  endAll(): void {
    this.#access.clear()
    this.#refresh.clear()
  }

  /** Knows none of the clients that registered. */
  forgetClients(): void {
    this.#forgotten = this.registrations.map((_, index) => `client-${index + 1}`)
  }

  count(grantType: string): number {
    return this.tokenRequests.filter((request) => request.grant_type === grantType).length
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = []
    for await (const part of request) parts.push(part)
    const url = new URL(request.url ?? '/', this.url)
    const body = Buffer.concat(parts).toString()
    const isDescribed = !this.#oddities.isSilent
    if (isDescribed && url.pathname === '/.well-known/oauth-authorization-server')
      return json(response, this.#metadata())
    if (url.pathname === '/authorize') return this.#authorize(url.searchParams, response)
    if (url.pathname === '/register') return this.#register(JSON.parse(body), response)
    if (url.pathname === '/token') return this.#token(new URLSearchParams(body), request, response)
    response.writeHead(404).end()
  }

  #metadata(): JsonObject {
    const { url } = this
    return {
      issuer: url,
      authorization_endpoint: `${url}/authorize`,
      token_endpoint: `${url}/token`,
      registration_endpoint: `${url}/register`,
      code_challenge_methods_supported: ['S256'],
      authorization_response_iss_parameter_supported: true,
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic'],
      ...this.#oddities.metadata?.(url),
    }
  }

  #authorize(query: URLSearchParams, response: ServerResponse): void {
    this.authorizations.push(query)
    if (this.#forgotten.includes(query.get('client_id') ?? '')) return void response.writeHead(400).end()
    const code = randomUUID()
    const { withheld = [], redirect = (to) => to } = this.#oddities
    const scopes = (query.get('scope') ?? '').split(' ').filter((scope) => scope && !withheld.includes(scope))
    this.#codes.set(code, { scopes, family: code })
    const to = new URL(query.get('redirect_uri') ?? '')
    to.search = `${new URLSearchParams({ code, state: query.get('state') ?? '', iss: this.url })}`
    response.writeHead(302, { location: redirect(to).href }).end()
  }

  #register(metadata: JsonObject, response: ServerResponse): void {
    this.registrations.push(metadata)
    const given = this.#oddities.registered?.(this.url)
    json(response, { ...metadata, client_id: `client-${this.registrations.length}`, ...given }, 201)
  }

  #token(form: URLSearchParams, { headers }: IncomingMessage, response: ServerResponse): void {
    const { authorization = '' } = headers
    this.tokenRequests.push({ ...Object.fromEntries(form), authorization })
    if (this.isBusy) return json(response, { error: 'too_many_requests' }, 429)
    if (this.#forgotten.includes(form.get('client_id') ?? ''))
      return json(response, { error: 'invalid_client' }, 401)
    const grant = this.#granted(form)
    if (!grant) return json(response, { error: 'invalid_grant', error_description: 'spent' }, 400)
    const access = `access-${randomUUID()}`
    this.#access.set(access, grant)
    json(response, { access_token: access, token_type: 'Bearer', ...this.#withRefresh(form, grant) })
  }

  #withRefresh(form: URLSearchParams, grant: Grant): JsonObject {
    const scope = grant.scopes.join(' ')
    const common = { expires_in: 3600, ...(scope && { scope }), ...this.#oddities.answer }
    if (form.get('grant_type') === 'client_credentials') return common
    const refresh = `refresh-${randomUUID()}`
    this.#refresh.set(refresh, grant)
    return { refresh_token: refresh, ...common }
  }

  #granted(form: URLSearchParams): Grant | undefined {
    const scopes = form.get('scope')?.split(' ') ?? []
    if (form.get('grant_type') === 'client_credentials') return { scopes, family: randomUUID() }
    const code = form.get('code')
    if (code !== null) return take(this.#codes, code)
    const token = form.get('refresh_token') ?? ''
    const spent = this.#spent.get(token)
    if (spent) this.#end(spent.family)
    const grant = take(this.#refresh, token)
    if (grant) this.#spent.set(token, grant)
    return grant
  }

  #end(family: string): void {
    for (const grants of [this.#access, this.#refresh])
      for (const [token, grant] of grants) if (grant.family === family) grants.delete(token)
  }
}

/** One on a free port, until the test ends. */
export async function issuer(oddities: Oddities = {}): Promise<Issuer> {
  const http = createServer((request, response) => void started.answer(request, response))
  const started = new Issuer(`http://127.0.0.1:${await listening(http)}`, oddities)
  onTestFinished(() => {
    http.close()
    http.closeAllConnections()
  })
  return started
}

function take(grants: Map<string, Grant>, key: string): Grant | undefined {
  const grant = grants.get(key)
  grants.delete(key)
  return grant
}

function json(response: ServerResponse, body: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}
