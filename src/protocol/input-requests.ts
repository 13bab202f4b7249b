import type { HookName } from './capabilities.ts'
import { isObject, type JsonObject } from './json-rpc.ts'

/** One question of a server: embedded in `input_required` (modern) or a request of its own (legacy). Source: basic/patterns/mrtr. */
export interface InputRequest {
  readonly method: string
  readonly params: JsonObject
}

/** The server's own keys lead to its questions; the answers go back under the same keys. */
export type InputRequests = { readonly [key: string]: InputRequest }

const hooks: { readonly [method: string]: HookName } = {
  'elicitation/create': 'elicit',
  'sampling/createMessage': 'sample',
  'roots/list': 'listRoots',
}

/** The hook that answers `method`, or undefined when the protocol knows no such question. */
export function hookFor(method: string): HookName | undefined {
  return Object.hasOwn(hooks, method) ? hooks[method] : undefined
}

/** One answer asks a person so much at the most. */
export const mostQuestions = 64

/** Reads `inputRequests`; undefined when it is malformed. */
export function readInputRequests(value: unknown): InputRequests | undefined {
  if (!isObject(value)) return undefined
  const requests: { [key: string]: InputRequest } = Object.create(null)
  for (const [key, request] of Object.entries(value)) {
    if (!isObject(request) || typeof request.method !== 'string') return undefined
    requests[key] = { method: request.method, params: isObject(request.params) ? request.params : {} }
  }
  return requests
}

/**
 * How a question is refused: elicitation has a shape for it, no roots is a true answer, and for anything else
 * there is none: undefined, so the key is left out and the server asks again or gives up.
 */
export function declineInput(method: string): JsonObject | undefined {
  if (method === 'elicitation/create') return { action: 'decline' }
  if (method === 'roots/list') return { roots: [] }
  return undefined
}
