import type { Location } from '../../paths/location.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { isReadable } from './commands/effective-command.ts'
import { effectiveCommands } from './commands/effective-commands.ts'
import { type MeasuredCommand, measure } from './commands/match-command.ts'
import type { ScriptCache } from './commands/script-cache.ts'
import { hostOf } from './hosts.ts'
import { locationsOf, type NamedLocation, namedLocation } from './paths/call-locations.ts'

/** How a tool's arguments are to be read. */
export interface ArgumentReading {
  readonly root: Location | undefined
  readonly pathParams: readonly string[]
  readonly commandParams: readonly string[]
}

/** Everything rules ask about one call, found out when it is first asked. */
export class CallFacts {
  readonly #args: JsonObject | undefined
  readonly #reading: ArgumentReading
  readonly #scripts: ScriptCache
  #named: readonly NamedLocation[] | undefined
  #written: readonly NamedLocation[] | undefined
  #commands: readonly MeasuredCommand[] | undefined
  #host: { readonly value: string | undefined } | undefined

  /** `args` is undefined when they are no JSON object. */
  constructor(args: JsonObject | undefined, reading: ArgumentReading, scripts: ScriptCache) {
    this.#args = args
    this.#reading = reading
    this.#scripts = scripts
  }

  /** Whether there are arguments to judge at all. */
  get isReadable(): boolean {
    return this.#args !== undefined
  }

  /** Whether the tool is known to take no locations. */
  get hasNoPlaces(): boolean {
    return this.#reading.pathParams.length === 0
  }

  /** The locations among the arguments. */
  get named(): readonly NamedLocation[] {
    const { pathParams, root } = this.#reading
    this.#named ??= this.#args ? locationsOf(this.#args, pathParams, root) : []
    return this.#named
  }

  /** Whether an argument names what it runs. */
  get runsCommands(): boolean {
    const [command] = this.#reading.commandParams
    return command !== undefined && this.#args !== undefined && Object.hasOwn(this.#args, command)
  }

  /** Never empty: a program that is not there is one nobody knows. */
  get commands(): readonly MeasuredCommand[] {
    const [program = '', args = ''] = this.#reading.commandParams
    this.#commands ??= effectiveCommands(
      own(this.#args, program),
      own(this.#args, args),
      this.#scripts.read,
    ).map(measure)
    return this.#commands
  }

  /** Where the commands redirect their output to. */
  get written(): readonly NamedLocation[] {
    this.#written ??= this.runsCommands
      ? this.commands
          .flatMap(({ command }) => command.writes)
          .map((write) => namedLocation(isReadable(write) ? write : undefined, this.#writeRoot))
      : []
    return this.#written
  }

  /** The host of `url`; undefined when there is none for certain. */
  get host(): string | undefined {
    this.#host ??= { value: hostOf(this.url) }
    return this.#host.value
  }

  get url(): unknown {
    return own(this.#args, 'url')
  }

  get paths(): readonly string[] {
    return [
      ...new Set([...this.named, ...this.written].map(({ text }) => text).filter((text) => text !== '')),
    ]
  }

  /** Whether it leads somewhere that cannot be compared with anything. */
  get isUnevaluable(): boolean {
    return !this.isReadable || [...this.named, ...this.written].some(({ location }) => !location)
  }

  /** A command that starts elsewhere writes elsewhere. */
  get #writeRoot(): Location | undefined {
    const args = this.#args ?? {}
    const startsElsewhere = ['cwd', 'workdir', 'working_directory', 'workingDirectory'].some((name) =>
      Object.hasOwn(args, name),
    )
    return startsElsewhere ? undefined : this.#reading.root
  }
}

function own(args: JsonObject | undefined, name: string): unknown {
  return args && Object.hasOwn(args, name) ? args[name] : undefined
}
