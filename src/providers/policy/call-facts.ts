import type { Location } from '../../paths/location.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { type EffectiveCommand, isReadable, unknownCommand } from './commands/effective-command.ts'
import { effectiveCommands } from './commands/effective-commands.ts'
import { type MeasuredCommand, measure } from './commands/match-command.ts'
import type { ScriptCache } from './commands/script-cache.ts'
import { mayChangeCommand } from './commands/surroundings.ts'
import { hostOf } from './hosts.ts'
import { locationsOf, type NamedLocation, namedLocation } from './paths/call-locations.ts'
import { type Declared, readArgument } from './read-argument.ts'

/** How a tool's arguments are to be read. */
export interface ArgumentReading {
  readonly root: Location | undefined
  readonly pathParams: readonly string[]
  readonly commandParams: readonly string[]
}

const startingFolder = /^(?:cwd|chdir|dir|directory|work(?:ing)?_?dir(?:ectory)?)$/i

/** Everything rules ask about one call, found out when it is first asked. */
export class CallFacts {
  readonly #args: JsonObject | undefined
  readonly #reading: ArgumentReading
  readonly #declared: Declared
  readonly #scripts: ScriptCache
  #names: readonly string[] | undefined
  #named: readonly NamedLocation[] | undefined
  #runsCommands: boolean | undefined
  #written: readonly NamedLocation[] | undefined
  #commands: readonly MeasuredCommand[] | undefined
  #host: { readonly value: string | undefined } | undefined

  /** `args` is undefined when they are no JSON object. */
  constructor(
    args: JsonObject | undefined,
    reading: ArgumentReading,
    declared: Declared,
    scripts: ScriptCache,
  ) {
    // To a reader that copies it carelessly it has members that nobody sees.
    this.#args = args && Object.hasOwn(args, '__proto__') ? undefined : args
    this.#declared = declared
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
    this.#named ??= this.#args ? locationsOf(this.#args, pathParams, root, this.#declared) : []
    return this.#named
  }

  /** Whether an argument names what it runs. */
  get runsCommands(): boolean {
    const [command] = this.#reading.commandParams
    this.#runsCommands ??= command !== undefined && this.#read(command) !== undefined
    return this.#runsCommands
  }

  /** Never empty: a program that is not there is one nobody knows. */
  get commands(): readonly MeasuredCommand[] {
    this.#commands ??= this.#unfoldCommands().map(measure)
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
    return this.#read('url')
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
    const startsElsewhere = Object.keys(this.#args ?? {}).some((name) => startingFolder.test(name))
    return startsElsewhere ? undefined : this.#reading.root
  }

  #unfoldCommands(): readonly EffectiveCommand[] {
    const [program = '', args = ''] = this.#reading.commandParams
    const words = this.#read(args)
    const commands = effectiveCommands(this.#read(program), words, this.#scripts.read)
    return this.#args && mayChangeCommand(this.#args, words) ? [...commands, unknownCommand('')] : commands
  }

  #read(name: string): unknown {
    if (!this.#args) return undefined
    this.#names ??= Object.keys(this.#args)
    return readArgument(this.#args, name, this.#declared, this.#names)
  }
}
