import {
  AuthorizationResponseError,
  OperationProcessingError,
  ResponseBodyError,
  WWWAuthenticateChallengeError,
} from 'oauth4webapi'
import { AuthorizationError, McpError } from '../errors.ts'
import { thrownMessage } from '../thrown-message.ts'
import { refusal } from './refusal.ts'

/**
 * What went wrong while `doing`, e.g. `https://as.example issuing a token`. Of what others throw, the words alone are kept: beside them
 * may stand codes and tokens.
 */
export function explainFailure(error: unknown, doing: string): AuthorizationError {
  if (error instanceof AuthorizationError) return error
  if (error instanceof McpError) return refusal(`${doing} failed: ${error.message}`, { cause: error })
  return refusal(`${doing} failed: ${wordsOf(error)}`)
}

/** Whether the authorization server understood what was asked, and said no. */
export function wasRefused(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return true
  return error instanceof ResponseBodyError && !passing.has(error.error) && !passingStatuses.has(error.status)
}

/** Whether it was the client itself that was refused: one that registered by itself has to do so anew. */
export function wasClientRefused(error: unknown): boolean {
  if (error instanceof WWWAuthenticateChallengeError) return true
  return error instanceof ResponseBodyError && /^(invalid|unauthorized)_client$/.test(error.error)
}

function wordsOf(error: unknown): string {
  if (error instanceof ResponseBodyError || error instanceof AuthorizationResponseError) {
    const { error: code, error_description: description } = error
    const advice = advices[code]
    return `${[code, description].filter(Boolean).join(': ').slice(0, longest)}${advice ? `; ${advice}` : ''}`
  }
  if (error instanceof WWWAuthenticateChallengeError)
    return `the client was not accepted (${error.status}); ${advices.invalid_client}`
  if (error instanceof OperationProcessingError) {
    const { cause } = error
    return cause instanceof Response ? `${error.message} (${cause.status})` : error.message
  }
  const { cause } = error as { readonly cause?: unknown }
  const why = cause instanceof Error ? `: ${cause.message}` : ''
  return `${thrownMessage(error)}${why}`.slice(0, longest)
}

const longest = 300
const passing = new Set(['temporarily_unavailable', 'server_error', 'slow_down'])
/** It took too long, or there were too many of us. */
const passingStatuses = new Set([408, 425, 429])
const advices: { readonly [code: string]: string | undefined } = {
  access_denied: 'the sign-in was declined',
  invalid_client: 'check auth.clientId and its secret or key',
  unauthorized_client: 'this client may not do that; whoever registered it has to allow it',
  invalid_scope: 'check auth.scopes',
  invalid_grant: 'sign in again',
  invalid_target: 'it issues no tokens for that server',
}
