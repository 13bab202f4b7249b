import type { Config, ConfiguredServer } from '../config/config.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { Era } from '../protocol/versions.ts'
import type { Target } from './command-line.ts'
import type { HidingIo } from './hiding-io.ts'

/** One run of one command. */
export interface Invocation {
  readonly io: HidingIo
  readonly name: string
  /** What was written after the command's name, without options. */
  readonly operands: readonly string[]
  readonly options: Options
  readonly target: Target | undefined
  /** The server, where it was named by what it is configured as. */
  readonly server: ConfiguredServer | undefined
  /** What it is configured in. */
  readonly config: Config | undefined
}

/** Every option of every command; each command defines those it has. Times in ms. */
export interface Options {
  readonly json?: boolean
  /** Whether questions are put to the person at the terminal. */
  readonly ask?: boolean
  readonly verbose?: boolean
  /** Where the server is, instead of a command that runs it. */
  readonly url?: string
  /** Where servers are configured, instead of the project's own file. */
  readonly config?: string
  readonly header?: { readonly [name: string]: string }
  readonly cwd?: string
  readonly env?: { readonly [name: string]: string }
  readonly era?: 'auto' | Era
  readonly timeout?: number
  readonly probeTimeout?: number
  readonly logLevel?: LoggingLevel
  /** Whether to serve the inspector, and where: a port. */
  readonly inspect?: true | number
  readonly output?: string
  readonly format?: string
  /** Of `auth`: what to do instead of signing in. */
  readonly list?: boolean
  readonly reset?: boolean
  /** Whether a browser is opened; whether the person pastes where theirs ended. */
  readonly browser?: boolean
  readonly manual?: boolean
  /** Of rules that are given as words. */
  readonly decision?: string
  /** Toolkits to serve, each a name, maybe with its configuration. */
  readonly tool?: readonly string[]
  /** The port to serve on. */
  readonly http?: number
  readonly host?: string
  readonly httpPath?: string
  readonly allowOrigin?: readonly string[]
  readonly allowHost?: readonly string[]
  readonly legacy?: boolean
  /** What the server that is served calls itself. */
  readonly name?: string
  readonly version?: string
  readonly instructions?: string
}
