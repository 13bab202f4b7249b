import { setup } from 'xstate'

export interface AuthorizationExpectation {
  /** Where the token comes from. */
  readonly token: 'stored' | 'issued' | 'refreshed' | undefined
  readonly cause: 'challenge' | 'scope' | 'expiry' | undefined
  /** What was asked for so far. */
  readonly asked: readonly string[]
  /** Whether whoever waits is told that it failed. */
  readonly hasFailed: boolean
}

interface SpecificationContext extends AuthorizationExpectation {
  readonly challenged: readonly string[]
  /** Whether the server had taken the token that it refused. */
  readonly wasTaken: boolean
  readonly issuer: 'none' | 'first' | 'second'
}

export type AuthorizationSpecificationEvent = {
  readonly type:
    | 'a request is sent'
    | 'a sign-in was stored'
    | 'nothing was stored'
    | 'the store fails'
    | 'the server challenges'
    | 'the server refuses what it never took'
    | 'the server wants more scopes'
    | 'the token expires'
    | 'the issuer is found'
    | 'the issuer is found, and a sign-in with it'
    | 'another issuer is found'
    | 'discovery fails'
    | 'a client is chosen'
    | 'registration fails'
    | 'the person consents'
    | 'the person declines'
    | 'nobody waits any more'
    | 'a token is issued'
    | 'no token is issued'
    | 'a fresh token comes'
    | 'the refresh is refused'
    | 'the refresh cannot be made'
    | 'it cools down'
}

type Change = (context: SpecificationContext) => Partial<SpecificationContext>

/**
 * Nothing of one issuer reaches another, nobody consents twice in vain, scopes only grow; and a
 * failure costs no token that still serves. With a person, tokens come with a refresh token, without one they do not.
 */
export function authorizationSpecification(needsPerson: boolean) {
  const spec = setup({
    types: {} as { context: SpecificationContext; events: AuthorizationSpecificationEvent },
    guards: {
      needsPerson: () => needsPerson,
      hasToken: ({ context }) => context.token !== undefined,
      serverWaits: ({ context }) => context.cause === 'challenge',
      stillServes: ({ context }) => context.token !== undefined && context.cause !== 'challenge',
      refreshHelps: ({ context }) =>
        context.cause === 'challenge' && (context.token !== 'refreshed' || context.wasTaken),
      canRefresh: ({ context }) => needsPerson || context.token !== 'issued',
      isNew: ({ context }) => context.token === 'issued',
      wereAsked: ({ context }) => context.asked.includes('more'),
    },
  })
  const does = (change: Change) => spec.assign(({ context }) => change(context))
  const fails = does(() => ({ hasFailed: true }))
  const ledNowhere = [
    { guard: 'stillServes' as const, target: 'authorised', actions: fails },
    { target: 'failed', actions: fails },
  ]
  const challenge = (wasTaken: boolean) => ({
    target: 'discovering',
    actions: does(() => ({ cause: 'challenge', challenged: ['basic'], wasTaken, hasFailed: false })),
  })
  const wantsMore: Change = () => ({
    cause: 'scope',
    challenged: ['more'],
    wasTaken: true,
    hasFailed: false,
  })
  const found = does(({ issuer }) => ({ issuer: issuer === 'none' ? 'first' : issuer }))

  return spec.createMachine({
    id: 'authorization',
    context: {
      token: undefined,
      cause: undefined,
      asked: [],
      hasFailed: false,
      challenged: [],
      wasTaken: false,
      issuer: 'none',
    },
    initial: 'idle',
    states: {
      idle: { on: { 'a request is sent': 'restoring' } },
      restoring: {
        on: {
          'a sign-in was stored': {
            target: 'authorised',
            actions: does(() => ({ token: 'stored', issuer: 'first', asked: ['basic'] })),
          },
          'nothing was stored': 'signedOut',
          'the store fails': { target: 'failed', actions: fails },
        },
      },
      signedOut: { on: { 'the server challenges': challenge(true) } },
      discovering: {
        on: {
          'the issuer is found': { target: 'registering', actions: found },
          'the issuer is found, and a sign-in with it': [
            { guard: 'refreshHelps', target: 'refreshing', actions: found },
            { target: 'registering', actions: found },
          ],
          'another issuer is found': {
            target: 'registering',
            actions: does(({ issuer, token, asked }) => ({
              issuer: 'second',
              token: issuer === 'first' ? undefined : token,
              asked: issuer === 'first' ? [] : asked,
            })),
          },
          'discovery fails': ledNowhere,
        },
      },
      registering: {
        on: {
          'a client is chosen': [{ guard: 'needsPerson', target: 'authorising' }, { target: 'exchanging' }],
          'registration fails': ledNowhere,
        },
      },
      authorising: {
        on: {
          'the person consents': 'exchanging',
          'the person declines': ledNowhere,
          'nobody waits any more': [{ guard: 'hasToken', target: 'authorised' }, { target: 'signedOut' }],
        },
      },
      exchanging: {
        on: {
          'a token is issued': {
            target: 'authorised',
            actions: does(({ asked, challenged }) => ({
              token: 'issued',
              hasFailed: false,
              asked: [...new Set([...asked, ...challenged])],
            })),
          },
          'no token is issued': ledNowhere,
        },
      },
      authorised: {
        on: {
          'the token expires': [
            {
              guard: 'canRefresh',
              target: 'refreshing',
              actions: does(() => ({ cause: 'expiry', hasFailed: false })),
            },
            { target: 'exchanging', actions: does(() => ({ cause: 'expiry', hasFailed: false })) },
          ],
          'the server challenges': challenge(true),
          'the server refuses what it never took': [
            {
              guard: 'isNew',
              target: 'failed',
              actions: does(() => ({ token: undefined, hasFailed: true })),
            },
            challenge(false),
          ],
          'the server wants more scopes': [
            {
              guard: 'wereAsked',
              target: 'authorised',
              actions: does((context) => ({ ...wantsMore(context), hasFailed: true })),
            },
            { target: 'discovering', actions: does(wantsMore) },
          ],
        },
      },
      refreshing: {
        on: {
          'a fresh token comes': {
            target: 'authorised',
            actions: does(({ asked }) => ({
              token: 'refreshed',
              hasFailed: false,
              asked: [...new Set([...asked, 'basic'])],
            })),
          },
          'the refresh is refused': [
            { guard: 'serverWaits', target: 'registering', actions: does(() => ({ token: undefined })) },
            { target: 'signedOut', actions: does(() => ({ token: undefined })) },
          ],
          'the refresh cannot be made': [
            { guard: 'serverWaits', target: 'failed', actions: fails },
            { target: 'authorised', actions: fails },
          ],
        },
      },
      failed: {
        on: {
          'it cools down': [{ guard: 'hasToken', target: 'authorised' }, { target: 'signedOut' }],
          ...(needsPerson ? { 'the server challenges': {} } : { 'the server challenges': challenge(true) }),
        },
      },
    },
  })
}
