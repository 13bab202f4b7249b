import type { Era } from '../../src/protocol/versions.ts'

/** Who is at the other end, as the machine concluded. */
export interface Peer {
  readonly era: Era
  readonly version: string
  /** Members of every request's `_meta` as JSON text; '' in the legacy era. */
  readonly stamp: string
}
