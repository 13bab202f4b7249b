import type { ClientOptions, HttpClientOptions } from '../client/options.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { EntryOptions, SupervisionOptions } from '../providers/registry/options.ts'
import type { HttpOptions } from '../transports/http/http-options.ts'
import type { StdioOptions } from '../transports/stdio/stdio-options.ts'

/** The servers of a project and what surrounds them, as its file says: checked, with every variable filled in. Plain data. */
export interface Config {
  /** Every file it was read from: itself first, then the `envFile`s; none of an object. */
  readonly files: readonly string[]
  /** By name, in the order of the file. Those that are disabled are left out. */
  readonly servers: ReadonlyMap<string, ConfiguredServer>
  /** The names of servers with `disabled: true`. */
  readonly disabled: readonly string[]
  readonly settings: Settings
  /** What was passed over, a sentence each: keys of other programs that read the same file. */
  readonly warnings: readonly string[]
}

export interface ConfiguredServer {
  readonly name: string
  readonly spec: ServerSpec
  /** Its `troupe`, but for what concerns its connection. */
  readonly supervision: Supervision
  /** The rest of its `troupe`. */
  readonly client: ClientOptions
  /** What no output may show: its variables and headers, and what looks like a secret in its arguments or URL. */
  readonly secrets: readonly string[]
}

/** What to run, or where it is. */
export type ServerSpec =
  | Pick<StdioOptions, 'command' | 'args' | 'env' | 'cwd'>
  | (Pick<HttpOptions, 'url' | 'headers'> & Pick<HttpClientOptions, 'auth'>)

/** How the registry publishes and supervises a server. The prefix is by default the server's name. */
export interface Supervision extends SupervisionOptions, Partial<EntryOptions> {}

/** `troupe` at the top level. What stands in it is checked in full by who uses it. */
export interface Settings {
  readonly rules?: readonly JsonObject[]
  /** Prefixes of tools to the folders their relative paths are of; absolute here. */
  readonly roots?: { readonly [prefix: string]: string }
  /** Absolute here. */
  readonly grantsFile?: string
  /** Whether the danger floor stands under the rules; default true. */
  readonly floor: boolean
}

/** What its tools are published under. */
export function prefixOf({ name, supervision }: ConfiguredServer): string {
  return supervision.prefix ?? name
}
