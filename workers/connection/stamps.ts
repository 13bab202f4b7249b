import type { LoggingLevel } from '../../src/protocol/logging.ts'
import { stampText } from '../../src/protocol/requests.ts'
import type { Era } from '../../src/protocol/versions.ts'
import type { ConnectionOptions } from './options.ts'
import type { Peer } from './peer.ts'

/** What our requests say about themselves, made once a version and log level. */
export class Stamps {
  readonly #options: ConnectionOptions
  logLevel: LoggingLevel | undefined

  constructor(options: ConnectionOptions) {
    this.#options = options
    this.logLevel = options.logLevel
  }

  peer(era: Era, version: string): Peer {
    const { clientInfo, clientCapabilities } = this.#options
    const stamp =
      era === 'modern' ? stampText({ version, clientInfo, clientCapabilities, logLevel: this.logLevel }) : ''
    return { era, version, stamp }
  }
}
