import type { DeskAnswer, HookDesk } from '../../workers/frames.ts'
import type { AuthOptions } from '../auth/auth-options.ts'
import type { Authorizer } from '../auth/authorizer.ts'
import { toErrorData } from '../error-data.ts'
import { ConfigError } from '../errors.ts'

/** Which server tokens are for, and how they are come by. */
export interface TokenSource {
  readonly url: string
  readonly auth: AuthOptions
}

/** The part of a host's desk that has tokens. What can get them is loaded when they are first asked for. */
export function authorizationDesk(
  source: TokenSource | undefined,
  signal: AbortSignal,
): Pick<HookDesk, 'credentials' | 'refused'> {
  let loaded: Promise<Authorizer> | undefined
  const authorizer = () => {
    loaded ??= load(source)
    return loaded
  }
  return {
    credentials: (request) => answered(async () => (await authorizer()).credentials(request, signal)),
    refused: (refusal) =>
      answered(async () => {
        await (await authorizer()).refused(refusal, signal)
        return undefined
      }),
  }
}

async function load(source: TokenSource | undefined): Promise<Authorizer> {
  if (!source) throw new ConfigError({ path: ['auth'], reason: 'is missing' })
  const { authorizerFor } = await import('../auth/authorizers.ts')
  return authorizerFor(source.url, source.auth)
}

async function answered<Value>(work: () => Promise<Value>): Promise<DeskAnswer<Value>> {
  try {
    return { kind: 'done', value: await work() }
  } catch (error) {
    return { kind: 'failed', error: toErrorData(error) }
  }
}
