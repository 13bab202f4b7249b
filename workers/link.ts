import type { HttpOptions } from '../src/transports/http/http-transport.ts'
import type { StdioOptions } from '../src/transports/stdio/stdio-transport.ts'
import type { ConnectionOptions } from './connection/options.ts'
import type { Downlink, HookDesk, Uplink } from './frames.ts'

/** Which wire to open, as data. */
export type TransportSpec =
  | { readonly kind: 'stdio'; readonly options: StdioOptions }
  | {
      readonly kind: 'http'
      readonly options: HttpOptions
      /** The host's desk is asked for headers before each request. */
      readonly asksHeaders: boolean
      /** The host's desk has tokens, or gets them. */
      readonly asksCredentials: boolean
    }

export interface LinkOptions {
  readonly options: ConnectionOptions
  readonly desk: HookDesk
  readonly receive: (frame: Uplink) => void
}

/** The host's hold on one connection, wherever it is hosted. Frames are delivered in order, results before `ended` settles. */
export interface Link {
  post(frame: Downlink): void
  /** Whether somebody looks on from now. */
  watch(isWatched: boolean): void
  /** Asks the connection to end; resolves when it has. */
  close(): Promise<void>
  /** Resolves when the connection ended; rejects when its thread died under it. */
  readonly ended: Promise<void>
}
