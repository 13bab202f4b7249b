import { type Actor, createActor, fromPromise } from 'xstate'
import {
  authorizationMachine,
  type Challenge,
  type Discovered,
  type Refreshed,
  type Restored,
  type TokenFacts,
} from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import type {
  AuthorizationExpectation,
  AuthorizationSpecificationEvent,
} from './authorization-specification.ts'
import { type Deferred, next } from './deferred.ts'

/** The real machine; what its actors come to is decided by a test. */
export class AuthorizationDriver {
  readonly clock = new TestClock()
  readonly #needsPerson: boolean
  readonly #restores: Deferred<Restored | undefined>[] = []
  readonly #discoveries: Deferred<Discovered>[] = []
  readonly #registrations: Deferred<void>[] = []
  readonly #consents: Deferred<void>[] = []
  readonly #exchanges: Deferred<TokenFacts>[] = []
  readonly #refreshes: Deferred<Refreshed>[] = []
  readonly #actor: Actor<typeof authorizationMachine>

  constructor(needsPerson: boolean) {
    this.#needsPerson = needsPerson
    const machine = authorizationMachine.provide({
      actors: {
        restore: fromPromise(() => next(this.#restores)),
        discover: fromPromise(() => next(this.#discoveries)),
        register: fromPromise(() => next(this.#registrations)),
        authorise: fromPromise(() => next(this.#consents)),
        exchange: fromPromise(() => next(this.#exchanges)),
        refresh: fromPromise(() => next(this.#refreshes)),
      },
    })
    this.#actor = createActor(machine, { input: { needsPerson, ownScopes: [] }, clock: this.clock }).start()
  }

  async act({ type }: AuthorizationSpecificationEvent): Promise<void> {
    this.#do(type)
    await this.clock.settle()
  }

  get known(): AuthorizationExpectation & { readonly state: string } {
    const { value, context } = this.#actor.getSnapshot()
    const { token, cause, askedScopes: asked, failure } = context
    return { state: String(value), token: token?.origin, cause, asked, hasFailed: failure !== undefined }
  }

  get generation(): number {
    return this.#actor.getSnapshot().context.generation
  }

  #do(type: AuthorizationSpecificationEvent['type']): void {
    switch (type) {
      case 'a request is sent':
        return this.#actor.send({ type: 'wanted' })
      case 'a sign-in was stored':
        return this.#restores.at(-1)?.resolve({ ...place('first'), token: token('stored', true) })
      case 'nothing was stored':
        return this.#restores.at(-1)?.resolve(undefined)
      case 'the store fails':
        return this.#restores.at(-1)?.reject(new Error('the disk is gone'))
      case 'the server challenges':
        return this.#actor.send({ type: 'challenged', challenge: challenge(['basic'], true) })
      case 'the server refuses what it never took':
        return this.#actor.send({ type: 'challenged', challenge: challenge(['basic'], false) })
      case 'the server wants more scopes':
        return this.#actor.send({ type: 'insufficient', challenge: challenge(['more'], true) })
      case 'the token expires':
        return this.#actor.send({ type: 'expired' })
      case 'the issuer is found':
        return this.#find(this.#issuer ?? 'first', false)
      case 'the issuer is found, and a sign-in with it':
        return this.#find(this.#issuer ?? 'first', true)
      case 'another issuer is found':
        return this.#find('second', false)
      case 'discovery fails':
        return this.#discoveries.at(-1)?.reject(new Error('no metadata'))
      case 'a client is chosen':
        return this.#registrations.at(-1)?.resolve()
      case 'registration fails':
        return this.#registrations.at(-1)?.reject(new Error('not open to all'))
      case 'the person consents':
        return this.#consents.at(-1)?.resolve()
      case 'the person declines':
        return this.#consents.at(-1)?.reject(new Error('access_denied'))
      case 'nobody waits any more':
        return this.#actor.send({ type: 'abandoned' })
      case 'a token is issued':
        return this.#exchanges.at(-1)?.resolve(token('issued', this.#needsPerson))
      case 'no token is issued':
        return this.#exchanges.at(-1)?.reject(new Error('invalid_client'))
      case 'a fresh token comes':
        return this.#refreshes.at(-1)?.resolve({ kind: 'token', token: token('refreshed', true) })
      case 'the refresh is refused':
        return this.#refreshes.at(-1)?.resolve({ kind: 'refused' })
      case 'the refresh cannot be made':
        return this.#refreshes.at(-1)?.reject(new Error('no network'))
      case 'it cools down':
        return this.#coolDown()
    }
  }

  get #issuer(): string | undefined {
    return this.#actor.getSnapshot().context.issuer
  }

  #find(issuer: string, canRefresh: boolean): void {
    this.#discoveries.at(-1)?.resolve({ ...place(issuer), publishedScopes: [], canRefresh })
  }

  /** To the millisecond. */
  #coolDown(): void {
    this.clock.advance((this.clock.nextInMs ?? 0) - 1)
    if (this.known.state !== 'failed') throw new Error('It cooled down before its time')
    this.clock.advance(1)
  }
}

function place(issuer: string) {
  return { issuer, resource: 'https://notes.example' }
}

function challenge(scopes: readonly string[], wasAccepted: boolean): Challenge {
  return { resourceMetadata: undefined, scopes, wantsDpop: false, wasAccepted }
}

function token(origin: TokenFacts['origin'], canRefresh: boolean): TokenFacts {
  return { origin, canRefresh, scopes: ['basic'], expiresAtMs: undefined }
}
