import { broken } from './payloads/broken.ts'
import { disguised } from './payloads/disguised.ts'
import { escaping } from './payloads/escaping.ts'
import { honest } from './payloads/honest.ts'
import { smuggled } from './payloads/smuggled.ts'
import { wrapped } from './payloads/wrapped.ts'

/** What `bash -c` is given, and what becomes of it where git and echo may run and rm may not. */
export type PayloadCase = readonly [verdict: 'allow' | 'ask' | 'deny', payload: string]

export const payloads: { readonly [kind: string]: readonly PayloadCase[] } = {
  honest,
  smuggled,
  disguised,
  wrapped,
  escaping,
  broken,
}
