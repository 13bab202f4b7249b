import { isObject } from '../../protocol/json-rpc.ts'
import type { GuardedFetch } from '../fetch/guarded-fetch.ts'

/** The response to a GET, or undefined where there is nothing. Rejects when it could not be had. */
export async function getDocument(
  url: string,
  fetch: GuardedFetch,
  signal: AbortSignal,
): Promise<Response | undefined> {
  const response = await fetch(url, { headers: { accept: 'application/json' }, signal })
  if (response.status === 200) return response
  await response.body?.cancel()
  return undefined
}

/** One member of a document that is still to be read, where it is a text; the document may be anything. */
export async function memberOf(response: Response, member: string): Promise<string> {
  const document: unknown = await response
    .clone()
    .json()
    .catch(() => undefined)
  const value = isObject(document) ? document[member] : undefined
  return typeof value === 'string' ? value : 'nothing'
}
