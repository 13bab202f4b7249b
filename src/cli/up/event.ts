import type { ChildState } from '../../bridge/provider.ts'
import type { Era } from '../../protocol/versions.ts'

/** All that `troupe up` tells: a line each with `--json`. */
export type UpEvent =
  /** A configuration came into force. */
  | { readonly event: 'config'; readonly file: string; readonly servers: readonly string[] }
  /** Of one that was taken out or replaced, only what became of it. */
  | ({ readonly event: 'server' } & Partial<ServerRow> & Pick<ServerRow, 'server' | 'state' | 'generation'>)
  | { readonly event: 'warning'; readonly message: string }
  /** A line of a server's stderr; with `--verbose` only. */
  | { readonly event: 'stderr'; readonly server: string; readonly line: string }
  | { readonly event: 'inspector'; readonly url: string }
  | { readonly event: 'draining' }
  | { readonly event: 'stopped' }

/** A server as the table shows it. */
export interface ServerRow {
  readonly server: string
  readonly state: ChildState
  readonly era?: Era
  readonly generation: number
  readonly restarts: number
  readonly calls: number
  /** Why it went down last. */
  readonly lastError?: string
}

/** Where it is told: to a person who looks on, to a log, or to a program. */
export interface View {
  /** `rows` are all servers as they are now. */
  show(event: UpEvent, rows: readonly ServerRow[]): void
}
