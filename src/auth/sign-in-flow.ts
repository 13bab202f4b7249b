import type {
  Challenge,
  Discovered,
  Refreshed,
  Restored,
  TokenFacts,
} from '../../machines/authorization-facts.ts'
import { type AuthOptions, grantOf, signInTimeoutOf } from './auth-options.ts'
import { discoverIssuer, type Issuing } from './discovery/discover-issuer.ts'
import { findServerMetadata } from './discovery/server-metadata.ts'
import { explainFailure, wasClientRefused, wasRefused } from './explain-failure.ts'
import type { TargetRules } from './fetch/check-target.ts'
import type { GuardedFetch } from './fetch/guarded-fetch.ts'
import { askForConsent, type Consent, type Person } from './grants/authorization-code.ts'
import { grantToken } from './grants/grant-token.ts'
import { grantRefresh } from './grants/refresh.ts'
import type { TokenParty } from './grants/token-request.ts'
import { refusal } from './refusal.ts'
import { chooseClient } from './registration/choose-client.ts'
import { clientAuthentication } from './registration/client-authentication.ts'
import type { RegisteredClient } from './registration/registered-client.ts'
import { shownElsewhere } from './registration/shown-elsewhere.ts'
import { SignInAllowance } from './sign-in-allowance.ts'
import { DpopKey } from './tokens/dpop-key.ts'
import { factsOf, isFresh, type StoredTokens, tokensFrom } from './tokens/stored-tokens.ts'
import type { TokenShelf } from './tokens/token-shelf.ts'

export interface FlowParts {
  readonly server: URL
  readonly auth: AuthOptions
  readonly shelf: TokenShelf
  readonly fetch: GuardedFetch
  /** Where a person may be sent. */
  readonly rules: TargetRules
}

/** What the actors of one authorization do, and what each leaves to the next: who issues, as whom to ask, a person's consent. */
export class SignInFlow {
  #parts: FlowParts
  #issuing: Issuing | undefined
  #client: RegisteredClient | undefined
  #party: TokenParty | undefined
  #consent: Consent | undefined
  readonly #allowance = new SignInAllowance()

  constructor(parts: FlowParts) {
    this.#parts = parts
  }

  use(auth: AuthOptions): void {
    this.#parts = { ...this.#parts, auth }
  }

  async restore(): Promise<Restored | undefined> {
    const { server, auth, shelf } = this.#parts
    try {
      const place = await shelf.lastPlace()
      // Made before the host said who issues: its secret is for nobody else.
      if (auth.issuer !== undefined && place?.issuer !== auth.issuer) return undefined
      const stored = place && (await shelf.stored(place.issuer, place.resource))
      if (!stored) return undefined
      await shelf.take(stored)
      const { issuer, resource } = stored
      return { issuer, resource, token: factsOf(stored, 'stored') }
    } catch (error) {
      throw explainFailure(error, `reading the sign-in for ${server.host}`)
    }
  }

  async discover(challenge: Challenge | undefined, signal: AbortSignal): Promise<Discovered> {
    const { server, shelf } = this.#parts
    try {
      const lastIssuer = (await shelf.lastPlace())?.issuer
      this.#issuing = await discoverIssuer({ ...this.#parts, lastIssuer }, challenge, signal)
      const { as, resource, scopes } = this.#issuing
      if (shelf.tokens?.issuer !== as.issuer) shelf.leave()
      const stored = await shelf.stored(as.issuer, resource)
      const canRefresh = stored?.refreshToken !== undefined
      return { issuer: as.issuer, resource, publishedScopes: scopes, canRefresh }
    } catch (error) {
      throw explainFailure(error, `finding out who issues tokens for ${server.host}`)
    }
  }

  async register(signal: AbortSignal): Promise<void> {
    const { auth, shelf, fetch } = this.#parts
    const { as, resource, wantsDpop } = this.#known
    if (grantOf(auth).type === 'authorization_code') this.#person(as.issuer)
    try {
      const kept = await shelf.client(as.issuer)
      const { client, isNew } = await chooseClient(auth, as, kept, fetch, signal)
      if (isNew) await shelf.keepClient(as.issuer, client)
      const dpop = wantsDpop ? await DpopKey.generate(as) : undefined
      const authenticate = await clientAuthentication(auth, client, as)
      await this.#claim(as.issuer, resource)
      this.#client = client
      this.#party = { as, resource, client: { client_id: client.client_id }, authenticate, dpop, fetch }
    } catch (error) {
      throw explainFailure(error, `registering with ${as.issuer}`)
    }
  }

  async authorise(scopes: readonly string[], signal: AbortSignal): Promise<void> {
    const signInTimeoutMs = signInTimeoutOf(this.#parts.auth)
    const { issuer } = this.#asked.as
    if (!this.#allowance.take(Date.now()))
      throw refusal(
        `${issuer} was to be signed in at again and again within minutes, and the server is never content; wait, or ask whoever runs it`,
      )
    const late =
      signInTimeoutMs > 0 ? AbortSignal.timeout(Math.min(signInTimeoutMs, longestTimerMs)) : undefined
    try {
      const either = late ? AbortSignal.any([signal, late]) : signal
      this.#consent = await askForConsent(this.#asked, this.#person(issuer), scopes, either)
    } catch (error) {
      if (late?.aborted)
        throw refusal(`nobody signed in at ${issuer} within ${signInTimeoutMs} ms (auth.signInTimeoutMs)`)
      throw explainFailure(error, `the sign-in at ${issuer}`)
    }
  }

  async exchange(scopes: readonly string[], signal: AbortSignal): Promise<TokenFacts> {
    const { shelf, auth } = this.#parts
    const { as, resource, dpop } = this.#asked
    const consent = this.#consent
    this.#consent = undefined
    try {
      const answer = await grantToken(auth, this.#asked, consent, scopes, signal)
      const tokens = tokensFrom(
        answer,
        { as, resource, client: this.#keptClient },
        scopes,
        await dpop?.export(),
      )
      await shelf.locked(tokens, () => shelf.keep(tokens, dpop))
      return factsOf(tokens, 'issued')
    } catch (error) {
      // A client that it does not know any more is registered anew next time.
      if (wasRefused(error)) await shelf.dropClient(as.issuer)
      throw explainFailure(error, `${as.issuer} issuing a token`)
    }
  }

  /** Whoever has the lock looks first whether somebody else refreshed meanwhile, in this process or another. */
  async refresh(signal: AbortSignal): Promise<Refreshed> {
    const { shelf } = this.#parts
    const { issuer, resource } = shelf.tokens ?? {
      issuer: this.#known.as.issuer,
      resource: this.#known.resource,
    }
    return shelf.locked({ issuer, resource }, async () => {
      const stored = await shelf.stored(issuer, resource)
      if (!stored) return { kind: 'refused' }
      if (stored.accessToken === shelf.tokens?.accessToken) return this.#refresh(stored, signal)
      await shelf.take(stored)
      return isFresh(stored, Date.now())
        ? { kind: 'token', token: factsOf(stored, 'stored') }
        : this.#refresh(stored, signal)
    })
  }

  async #refresh(stored: StoredTokens, signal: AbortSignal): Promise<Refreshed> {
    const { shelf } = this.#parts
    const { refreshToken, client, scopes, resource, dpopKey } = stored
    if (refreshToken === undefined) return { kind: 'refused' }
    try {
      const party = await this.#partyOf(stored, signal)
      const answer = await grantRefresh(party, refreshToken, signal)
      const about = { as: party.as, resource, client }
      const tokens = tokensFrom({ refresh_token: refreshToken, ...answer }, about, scopes, dpopKey)
      await shelf.keep(tokens, shelf.dpop)
      return { kind: 'token', token: factsOf(tokens, 'refreshed') }
    } catch (error) {
      if (!wasRefused(error)) throw explainFailure(error, `${stored.issuer} refreshing a token`)
      await shelf.drop(stored)
      if (wasClientRefused(error)) await shelf.dropClient(stored.issuer)
      return { kind: 'refused' }
    }
  }

  /** What was registered by hand is shown to one issuer: whom the host names, else who was to see it first. */
  async #claim(issuer: string, resource: string): Promise<void> {
    const { auth, shelf } = this.#parts
    if (auth.clientId === undefined || auth.issuer !== undefined) return
    const first = await shelf.claimPlace({ issuer, resource })
    if (first !== issuer) throw shownElsewhere(auth.clientId, first, `${resource} takes tokens of ${issuer}`)
  }

  /** Also of a sign-in that an earlier process made. */
  async #partyOf({ issuer, resource, client }: StoredTokens, signal: AbortSignal): Promise<TokenParty> {
    const { auth, shelf, fetch } = this.#parts
    const known = this.#issuing?.as
    const as = known?.issuer === issuer ? known : await findServerMetadata(issuer, fetch, signal)
    const secret = auth.clientId === undefined ? client.client_secret : auth.clientSecret
    const whole = { ...client, ...(secret !== undefined && { client_secret: secret }) }
    const authenticate = await clientAuthentication(auth, whole, as)
    return { as, resource, client: { client_id: client.client_id }, authenticate, dpop: shelf.dpop, fetch }
  }

  /** Before a client is registered in vain. */
  #person(issuer: string): Person {
    const { rules } = this.#parts
    const { redirectUri, onRedirect } = this.#parts.auth
    if (redirectUri === undefined || onRedirect === undefined)
      throw refusal(`somebody has to sign in at ${issuer}; set auth.redirectUri and auth.onRedirect`)
    return { redirectUri, onRedirect, rules }
  }

  get #known(): Issuing {
    if (!this.#issuing) throw refusal('who issues tokens is not known yet')
    return this.#issuing
  }

  get #asked(): TokenParty {
    if (!this.#party) throw refusal('no client was chosen yet')
    return this.#party
  }

  /** A secret that the host configured stays with the host. */
  get #keptClient(): RegisteredClient {
    const client = this.#client ?? { client_id: this.#asked.client.client_id }
    if (this.#parts.auth.clientId === undefined) return client
    return { client_id: client.client_id }
  }
}

/** Node fires longer timers at once. */
const longestTimerMs = 2 ** 31 - 1
