import type { Changes } from './changes.ts'
import type { Dialect } from './dialect.ts'
import type { Repaired } from './draft.ts'

/** Where in which document a repair stands, and how it goes on from there. */
export interface Place {
  readonly dialect: Dialect
  readonly changes: Changes
  readonly path: string
  /** Repairs a schema below this one; `levels` is 1 if it is one for a part of the value. */
  inside(schema: unknown, step: string, levels: 0 | 1): Repaired
  /** As `inside`, for where a wider schema would be a narrower one outside: undefined unless the repair loses nothing. */
  exactly(schema: unknown, step: string, levels: 0 | 1): Repaired | undefined
}
