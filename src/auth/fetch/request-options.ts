import { allowInsecureRequests, customFetch, type DPoPHandle } from 'oauth4webapi'
import type { GuardedFetch } from './guarded-fetch.ts'

/** What goes along with every request that the OAuth library makes. */
export interface RequestOptions {
  readonly [customFetch]: (
    url: string,
    init: RequestInit & { readonly duplex?: unknown },
  ) => Promise<Response>
  readonly [allowInsecureRequests]: true
  readonly signal: AbortSignal
  readonly DPoP?: DPoPHandle
}

export function requestOptions(fetch: GuardedFetch, signal: AbortSignal): RequestOptions {
  return {
    [customFetch]: (url, { duplex: _, ...init }) => fetch(url, init),
    // The fetch itself demands https, but for this machine.
    [allowInsecureRequests]: true,
    signal,
  }
}
