import { isObject } from '../../protocol/json-rpc.ts'
import { type RegisteredClient, readClient } from '../registration/registered-client.ts'
import type { TokenStore } from '../store/token-store.ts'
import type { DpopKey } from './dpop-key.ts'
import type { SignInKeys } from './sign-in-keys.ts'
import { parseJson, parseTokens, type StoredTokens } from './stored-tokens.ts'

/** Who issues tokens for a server, and by which name it is known there. */
export interface Place {
  readonly issuer: string
  readonly resource: string
}

/** The tokens of one client for one server: those in use, and all that the store holds of them. */
export class TokenShelf {
  readonly #store: TokenStore
  readonly #keys: SignInKeys
  #tokens: StoredTokens | undefined
  #dpop: DpopKey | undefined

  constructor(store: TokenStore, keys: SignInKeys) {
    this.#store = store
    this.#keys = keys
  }

  /** What the server is shown. */
  get tokens(): StoredTokens | undefined {
    return this.#tokens
  }

  /** What they are bound to, if they are. */
  get dpop(): DpopKey | undefined {
    return this.#dpop
  }

  /** Who issued tokens for the server last, or was claimed for it. */
  async lastPlace(): Promise<Place | undefined> {
    const place = parseJson(await this.#store.read(this.#keys.place))
    if (!isObject(place) || typeof place.issuer !== 'string' || typeof place.resource !== 'string')
      return undefined
    return { issuer: place.issuer, resource: place.resource }
  }

  /** Settles who may see a client that was made by hand, also among processes: whoever was to first. Resolves with the issuer. */
  claimPlace(place: Place): Promise<string> {
    return this.#store.locked(this.#keys.place, async () => {
      const claimed = await this.lastPlace()
      if (claimed) return claimed.issuer
      await this.#keepPlace(place)
      return place.issuer
    })
  }

  async stored(issuer: string, resource: string): Promise<StoredTokens | undefined> {
    return parseTokens(await this.#store.read(this.#keys.tokens(issuer, resource)))
  }

  /** Uses tokens that somebody else stored. */
  async take(stored: StoredTokens): Promise<void> {
    this.#dpop = stored.dpopKey && (await restoreDpop(stored.dpopKey))
    this.#tokens = stored
  }

  /** Shows them no more; they stay in the store. */
  leave(): void {
    this.#tokens = undefined
    this.#dpop = undefined
  }

  /** Uses new tokens, and stores them before anybody else can refresh the old ones. */
  async keep(tokens: StoredTokens, dpop: DpopKey | undefined): Promise<void> {
    const { issuer, resource } = tokens
    this.#tokens = tokens
    this.#dpop = dpop
    await this.#store.write(this.#keys.tokens(issuer, resource), JSON.stringify(tokens))
    await this.#keepPlace({ issuer, resource })
  }

  /** They are worth nothing any more. */
  async drop({ issuer, resource }: StoredTokens): Promise<void> {
    await this.#store.remove(this.#keys.tokens(issuer, resource))
    this.#tokens = undefined
  }

  locked<Value>({ issuer, resource }: Place, action: () => Promise<Value>) {
    return this.#store.locked(this.#keys.tokens(issuer, resource), action)
  }

  async client(issuer: string): Promise<RegisteredClient | undefined> {
    return readClient(parseJson(await this.#store.read(this.#keys.client(issuer))))
  }

  keepClient(issuer: string, client: RegisteredClient): Promise<void> {
    return this.#store.write(this.#keys.client(issuer), JSON.stringify(client))
  }

  dropClient(issuer: string): Promise<void> {
    return this.#store.remove(this.#keys.client(issuer))
  }

  #keepPlace(place: Place): Promise<void> {
    return this.#store.write(this.#keys.place, JSON.stringify(place))
  }
}

/** Loaded for whom it is used: whoever only looks up a sign-in needs no OAuth library. */
async function restoreDpop(stored: NonNullable<StoredTokens['dpopKey']>): Promise<DpopKey> {
  const { DpopKey } = await import('./dpop-key.ts')
  return DpopKey.restore(stored)
}
