import { assign, fromPromise, setup } from 'xstate'
import { type ErrorData, toErrorData } from '../src/error-data.ts'
import type {
  AuthorizationContext,
  AuthorizationEvent,
  AuthorizationInput,
  Challenge,
  Discovered,
  Refreshed,
  Restored,
  TokenFacts,
} from './authorization-facts.ts'
import * as facts from './authorization-facts.ts'

const notProvided = (name: string) => () => Promise.reject(new Error(`${name} is not provided`))

const noteFailure = {
  type: 'fail',
  params: ({ event }: { event: { error: unknown } }) => toErrorData(event.error),
} as const

/** Where a better token was wanted, the one there is serves on. */
const ledNowhere = [
  { guard: 'oldOneServes', target: 'authorised', actions: noteFailure },
  { target: 'failed', actions: noteFailure },
] as const

const noteChallenge = {
  type: 'challenge',
  params: ({ event }: { event: { challenge: Challenge } }) => event.challenge,
} as const

/**
 * How one client gets, keeps and renews its token for one server. It decides; metadata, people and token endpoints are the business of
 * the actors provided to it. Tokens stand beside it: what it knows may be shown to anybody.
 */
export const authorizationMachine = setup({
  types: {} as { context: AuthorizationContext; input: AuthorizationInput; events: AuthorizationEvent },
  actors: {
    /** What an earlier process left. */
    restore: fromPromise<Restored | undefined>(notProvided('restore')),
    /** Who issues tokens for the server. */
    discover: fromPromise<Discovered, { challenge: Challenge | undefined }>(notProvided('discover')),
    /** As whom to ask there. */
    register: fromPromise<void>(notProvided('register')),
    /** A person consents. */
    authorise: fromPromise<void, { scopes: readonly string[] }>(notProvided('authorise')),
    exchange: fromPromise<TokenFacts, { scopes: readonly string[] }>(notProvided('exchange')),
    refresh: fromPromise<Refreshed>(notProvided('refresh')),
  },
  delays: {
    /** Nobody is asked again at once who just said no, or was not there. */
    coolDown: 10_000,
  },
  guards: {
    hasToken: ({ context }) => context.token !== undefined,
    needsPerson: ({ context }) => context.needsPerson,
    asksNobody: ({ context }) => !context.needsPerson,
    wasRestored: (_, restored: Restored | undefined) => restored !== undefined,
    refreshIsEnough: ({ context }, discovered: Discovered) => facts.refreshIsEnough(context, discovered),
    wasRefreshed: (_, refreshed: Refreshed) => refreshed.kind === 'token',
    serverWaits: ({ context }) => context.cause === 'challenge',
    canRefresh: ({ context }) => context.token?.canRefresh === true,
    /** A token without a refresh is as good as a new one where nobody has to be asked. */
    canAskAgain: ({ context }) => !context.needsPerson && context.issuer !== undefined,
    isRejected: ({ context }, challenge: Challenge) => facts.isRejected(context, challenge),
    asksNothingNew: ({ context }) => facts.asksNothingNew(context),
    oldOneServes: ({ context }) => context.cause !== 'challenge' && context.token !== undefined,
  },
  actions: {
    challenge: assign((_, challenge: Challenge) => facts.challenged(challenge)),
    widen: assign((_, challenge: Challenge) => facts.widened(challenge)),
    expire: assign({ cause: 'expiry', failure: undefined }),
    learn: assign(({ context }, discovered: Discovered) => facts.learnt(context, discovered)),
    adopt: assign(({ context }, token: TokenFacts) => facts.adopted(context, token)),
    adoptRestored: assign(({ context }, restored: Restored | undefined) =>
      restored ? facts.restored(context, restored) : {},
    ),
    adoptRefreshed: assign(({ context }, refreshed: Refreshed) =>
      refreshed.kind === 'token' ? facts.adopted(context, refreshed.token) : {},
    ),
    dropToken: assign({ token: undefined }),
    fail: assign((_, failure: ErrorData) => ({ failure })),
    failRejected: assign(({ context }) => ({ failure: facts.rejectedFailure(context) })),
    failUnsatisfied: assign(({ context }) => ({ failure: facts.unsatisfiedFailure(context) })),
  },
}).createMachine({
  id: 'authorization',
  context: ({ input }) => facts.initialContext(input),
  initial: 'idle',
  states: {
    idle: { on: { wanted: 'restoring' } },
    restoring: {
      invoke: {
        src: 'restore',
        onDone: [
          {
            guard: { type: 'wasRestored', params: ({ event }) => event.output },
            target: 'authorised',
            actions: { type: 'adoptRestored', params: ({ event }) => event.output },
          },
          { target: 'signedOut' },
        ],
        onError: { target: 'failed', actions: noteFailure },
      },
    },
    signedOut: {
      on: {
        challenged: { target: 'discovering', actions: noteChallenge },
        insufficient: { target: 'discovering', actions: noteChallenge },
      },
    },
    discovering: {
      invoke: {
        src: 'discover',
        input: ({ context }) => ({ challenge: context.challenge }),
        onDone: [
          {
            guard: { type: 'refreshIsEnough', params: ({ event }) => event.output },
            target: 'refreshing',
            actions: { type: 'learn', params: ({ event }) => event.output },
          },
          { target: 'registering', actions: { type: 'learn', params: ({ event }) => event.output } },
        ],
        onError: ledNowhere,
      },
    },
    registering: {
      invoke: {
        src: 'register',
        onDone: [{ guard: 'needsPerson', target: 'authorising' }, { target: 'exchanging' }],
        onError: ledNowhere,
      },
    },
    authorising: {
      invoke: {
        src: 'authorise',
        input: ({ context }) => ({ scopes: facts.wantedScopes(context) }),
        onDone: 'exchanging',
        onError: ledNowhere,
      },
      on: { abandoned: [{ guard: 'hasToken', target: 'authorised' }, { target: 'signedOut' }] },
    },
    exchanging: {
      invoke: {
        src: 'exchange',
        input: ({ context }) => ({ scopes: facts.wantedScopes(context) }),
        onDone: { target: 'authorised', actions: { type: 'adopt', params: ({ event }) => event.output } },
        onError: ledNowhere,
      },
    },
    authorised: {
      on: {
        expired: [
          { guard: 'canRefresh', target: 'refreshing', actions: 'expire' },
          { guard: 'canAskAgain', target: 'exchanging', actions: 'expire' },
        ],
        challenged: [
          {
            guard: { type: 'isRejected', params: ({ event }) => event.challenge },
            target: 'failed',
            actions: ['failRejected', 'dropToken'],
          },
          { target: 'discovering', actions: noteChallenge },
        ],
        insufficient: {
          target: 'steppingUp',
          actions: { type: 'widen', params: ({ event }) => event.challenge },
        },
      },
    },
    refreshing: {
      invoke: {
        src: 'refresh',
        onDone: [
          {
            guard: { type: 'wasRefreshed', params: ({ event }) => event.output },
            target: 'authorised',
            actions: { type: 'adoptRefreshed', params: ({ event }) => event.output },
          },
          { guard: 'serverWaits', target: 'registering', actions: 'dropToken' },
          { target: 'signedOut', actions: 'dropToken' },
        ],
        onError: [
          { guard: 'serverWaits', target: 'failed', actions: noteFailure },
          { target: 'authorised', actions: noteFailure },
        ],
      },
    },
    steppingUp: {
      always: [
        { guard: 'asksNothingNew', target: 'authorised', actions: 'failUnsatisfied' },
        { target: 'discovering' },
      ],
    },
    failed: {
      on: {
        challenged: { guard: 'asksNobody', target: 'discovering', actions: noteChallenge },
        insufficient: { guard: 'asksNobody', target: 'discovering', actions: noteChallenge },
      },
      after: { coolDown: [{ guard: 'hasToken', target: 'authorised' }, { target: 'signedOut' }] },
    },
  },
})
