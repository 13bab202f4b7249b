import { type Actor, createActor, fromPromise, type SnapshotFrom, waitFor } from 'xstate'
import { authorizationMachine } from '../../machines/authorization.ts'
import { type Clock, systemClock } from '../clock.ts'
import { fromErrorData } from '../error-data.ts'
import { CancelledError } from '../errors.ts'
import { idleClock } from '../idle-clock.ts'
import { leadsToLoopback } from '../loopback.ts'
import type { Credentials, CredentialsRequest, Refusal } from '../transports/http/credentials.ts'
import { type AuthOptions, grantOf } from './auth-options.ts'
import { createGuardedFetch } from './fetch/guarded-fetch.ts'
import { readChallenge } from './read-challenge.ts'
import { SignInFlow } from './sign-in-flow.ts'
import type { TokenStore } from './store/token-store.ts'
import { signInKeys } from './tokens/sign-in-keys.ts'
import { freshUntilMs, isFresh, type StoredTokens } from './tokens/stored-tokens.ts'
import { TokenShelf } from './tokens/token-shelf.ts'

type Snapshot = SnapshotFrom<typeof authorizationMachine>

/**
 * The tokens of one client for one server, for all connections of this process that use them: one sign-in, and one refresh of each
 * token, however many need it at once.
 */
export class Authorizer {
  readonly #shelf: TokenShelf
  readonly #flow: SignInFlow
  readonly #actor: Actor<typeof authorizationMachine>
  #acceptedGeneration = 0
  #waiting = 0

  constructor(server: URL, auth: AuthOptions, store: TokenStore, clock: Clock = systemClock) {
    this.#shelf = new TokenShelf(store, signInKeys(server, auth))
    const { allowPrivateNetwork = false } = auth
    // What a server far away says must not lead to this machine.
    const allowLoopback = allowPrivateNetwork || leadsToLoopback(server.hostname)
    const rules = { allowPrivateNetwork, allowLoopback }
    const fetch = createGuardedFetch({ ...rules, timeoutMs: patienceMs })
    this.#flow = new SignInFlow({ server, auth, shelf: this.#shelf, fetch, rules })
    const { scopes = [] } = auth
    this.#actor = createActor(provided(this.#flow), {
      input: { needsPerson: grantOf(auth).type === 'authorization_code', ownScopes: scopes },
      // What cools down keeps no process alive.
      clock: idleClock(clock),
    }).start()
  }

  /** Whoever connects last answers for the next sign-in: the one before may be gone. */
  use(auth: AuthOptions): void {
    this.#flow.use(auth)
  }

  /** What the next request is to show. A token that is about to expire is refreshed first, where it can be. */
  async credentials(request: CredentialsRequest, signal: AbortSignal): Promise<Credentials> {
    this.#actor.send({ type: 'wanted' })
    await this.#until((snapshot) => isOver(snapshot) || this.#hasFreshToken, signal)
    if (this.#tokens && !this.#hasFreshToken) {
      this.#actor.send({ type: 'expired' })
      await this.#until(isOver, signal)
    }
    return this.#shown(request)
  }

  /**
   * The server refused what it was shown: resolves when there is something else to show, or fails with why there is not. Whatever is
   * being done about it already is waited for.
   * @throws AuthorizationError, or CancelledError when `signal` aborts
   */
  async refused({ status, challenge, generation, wasAccepted }: Refusal, signal: AbortSignal): Promise<void> {
    if (wasAccepted) this.#acceptedGeneration = Math.max(this.#acceptedGeneration, generation)
    const read = await readChallenge(challenge, generation > 0 && this.#acceptedGeneration >= generation)
    const wasUnderWay = !isOver(this.#snapshot)
    await this.#until(isOver, signal)
    if (this.#hasNewerThan(generation)) return
    const { failure, cause } = this.#snapshot.context
    if (wasUnderWay && failure && cause === 'challenge' && status === 401) throw fromErrorData(failure)
    this.#actor.send({ type: status === 403 ? 'insufficient' : 'challenged', challenge: read })
    await this.#until(isOver, signal)
    if (!this.#hasNewerThan(generation)) throw this.#failure()
  }

  async #shown({ method, url, nonce }: CredentialsRequest): Promise<Credentials> {
    const tokens = this.#tokens
    const { dpop } = this.#shelf
    const { generation } = this.#snapshot.context
    if (!tokens) return { generation, headers: {}, freshUntilMs: Number.POSITIVE_INFINITY }
    const { accessToken } = tokens
    if (dpop) {
      const headers = await dpop.headersFor(accessToken, { method, url, nonce })
      return { generation, headers, freshUntilMs: 0 }
    }
    // One that cannot be refreshed is shown until it is refused.
    const until = this.#hasFreshToken ? freshUntilMs(tokens) : Number.POSITIVE_INFINITY
    return { generation, headers: { authorization: `Bearer ${accessToken}` }, freshUntilMs: until }
  }

  get #snapshot(): Snapshot {
    return this.#actor.getSnapshot()
  }

  /** As long as the machine stands by them. */
  get #tokens(): StoredTokens | undefined {
    return this.#snapshot.context.token && this.#shelf.tokens
  }

  get #hasFreshToken(): boolean {
    return this.#tokens !== undefined && isFresh(this.#tokens, Date.now())
  }

  #hasNewerThan(generation: number): boolean {
    return this.#snapshot.context.token !== undefined && this.#snapshot.context.generation > generation
  }

  #failure(): Error {
    const { failure } = this.#snapshot.context
    return failure ? fromErrorData(failure) : new CancelledError({ method: 'the sign-in', by: 'host' })
  }

  /** A sign-in that nobody waits for any more is given up. */
  async #until(holds: (snapshot: Snapshot) => boolean, signal: AbortSignal): Promise<void> {
    this.#waiting += 1
    try {
      await waitFor(this.#actor, holds, { signal })
    } catch (cause) {
      throw new CancelledError({ method: 'the sign-in' }, { cause })
    } finally {
      this.#waiting -= 1
      if (signal.aborted && this.#waiting === 0) this.#actor.send({ type: 'abandoned' })
    }
  }
}

/** Nobody gives up for a slow minute of an authorization server what a person would have to begin anew. */
const patienceMs = 30_000

/** Nothing is being done: there is a token, or a reason why there is none. */
function isOver(snapshot: Snapshot): boolean {
  return ['authorised', 'signedOut', 'failed'].some((state) => snapshot.value === state)
}

function provided(flow: SignInFlow): typeof authorizationMachine {
  return authorizationMachine.provide({
    actors: {
      restore: fromPromise(() => flow.restore()),
      discover: fromPromise(({ input, signal }) => flow.discover(input.challenge, signal)),
      register: fromPromise(({ signal }) => flow.register(signal)),
      authorise: fromPromise(({ input, signal }) => flow.authorise(input.scopes, signal)),
      exchange: fromPromise(({ input, signal }) => flow.exchange(input.scopes, signal)),
      refresh: fromPromise(({ signal }) => flow.refresh(signal)),
    },
  })
}
