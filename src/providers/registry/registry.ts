import type {
  ExecuteOptions,
  Provider,
  ProviderEventMap,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import { refuseAll, refusedBatch } from '../../bridge/refuse-batch.ts'
import { badOption } from '../../check-options.ts'
import type { Subscription } from '../../client/subscription.ts'
import { systemClock } from '../../clock.ts'
import { TransportClosedError } from '../../errors.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import type { ToolAnnotations } from '../../protocol/tools.ts'
import { quietly } from '../../quietly.ts'
import { Catalogue } from './catalogue.ts'
import type { Entry } from './entry.ts'
import type { FromConfigOptions } from './from-config.ts'
import { join, type Member, type Surroundings } from './member.ts'
import {
  type EntryOptions,
  type HttpServer,
  type RegistryOptions,
  registryParts,
  type ServerOptions,
  type StdioServer,
} from './options.ts'
import { RegistryEvents } from './registry-events.ts'
import { runRouted } from './run-routed.ts'
import { type ProviderStatus, statusOf } from './status.ts'
import type { SupervisedServer } from './supervised-server.ts'
import { Supervisor } from './supervisor.ts'

/**
 * One toolkit from many providers: each gets a prefix, its tools are published as prefix, separator and name, and calls find their
 * way back by a table. One that fails fails only its own calls. Servers are supervised: started, watched, and started again.
 * Registries nest, since a registry is a provider too. Close it, or `await using` it.
 *
 * @example
 * const registry = new Registry()
 * registry.add({ command: 'mcp-server-git' }, { prefix: 'git' })
 * registry.add(anything, { prefix: 'local' })
 * await registry.toolsForLlm() // git_log, git_diff, local_search …
 */
export class Registry implements Provider, AsyncDisposable {
  readonly #surroundings: Surroundings
  readonly #members = new Map<string, Member>()
  /** Of the file it was configured by. */
  #following: Disposable | undefined

  /** @throws ConfigError */
  constructor(options: RegistryOptions = {}) {
    const parts = registryParts(options)
    const { separator = '_', onListFailure = 'throw', clock = systemClock } = parts.own
    const { inspect } = parts.client
    const warn = quietly(parts.client.onWarn)
    this.#surroundings = {
      parts,
      warn,
      events: new RegistryEvents(clock, warn),
      catalogue: new Catalogue({ separator, onListFailure, warn }),
      supervisor: new Supervisor({ clock, inspect, warn }),
    }
  }

  /**
   * A registry of configured servers, started as they are configured: of the `mcpServers` of a file, as `.mcp.json` is written, or
   * of an object. What a file names runs with your rights: read none that you do not trust.
   * @throws ConfigError with the path of the bad key, before anything was started
   */
  static async fromConfig(
    source: string | { readonly mcpServers: object } | { readonly servers: object },
    options: RegistryOptions & FromConfigOptions = {},
  ): Promise<Registry> {
    const { env, watch, onConfig, onStderr, elicitFor, authFor, ...own } = options
    const registry = new Registry(own)
    const { fillFromConfig } = await import('./from-config.ts')
    try {
      const how = { env, watch, onConfig, onStderr, elicitFor, authFor }
      registry.#following = await fillFromConfig(registry, source, how, registry.#surroundings.warn)
    } catch (error) {
      await registry.close()
      throw error
    }
    return registry
  }

  /** Adds anything that has tools: a client, a server, another registry. It stays yours to close. @throws ConfigError */
  add(provider: Provider, options: EntryOptions): void
  /** Adds a server to run and to supervise. @throws ConfigError */
  add(server: StdioServer | HttpServer, options: ServerOptions): void
  add(what: Provider | StdioServer | HttpServer, options: EntryOptions | ServerOptions): void {
    this.#refuseWhenClosed()
    if (this.#members.has(options?.prefix))
      throw badOption('prefix', `is taken: ${options.prefix}; replace or remove it first`)
    this.#adopt(what, options)
  }

  /**
   * Takes an entry out at once. Resolves when a supervised server is gone; with the provider, when it was in-process; with undefined
   * when there is none of that prefix.
   */
  async remove(prefix: string): Promise<Provider | undefined> {
    const member = this.#members.get(prefix)
    if (!member) return undefined
    this.#members.delete(prefix)
    return this.#release(member)
  }

  /**
   * Puts something else under a prefix, at once; resolves as `remove` does. Calls that a policy still decides about were meant for the
   * old one: they are answered with `is_error`, and not run by the new one. @throws ConfigError, and the old one stays
   */
  replace(
    prefix: string,
    provider: Provider,
    options?: Omit<EntryOptions, 'prefix'>,
  ): Promise<Provider | undefined>
  replace(
    prefix: string,
    server: StdioServer | HttpServer,
    options?: Omit<ServerOptions, 'prefix'>,
  ): Promise<Provider | undefined>
  async replace(
    prefix: string,
    what: Provider | StdioServer | HttpServer,
    options: Omit<ServerOptions, 'prefix'> = {},
  ): Promise<Provider | undefined> {
    this.#refuseWhenClosed()
    const old = this.#members.get(prefix)
    if (!old) throw badOption('prefix', `is none of this registry: ${prefix}`)
    this.#adopt(what, { ...options, prefix })
    return this.#release(old)
  }

  /** Starts a supervised server again by hand, whatever its state; its past restarts no longer count. @throws ConfigError */
  restart(prefix: string): void {
    this.#supervised(prefix).life.restart()
  }

  /**
   * Subscribes to what a supervised server tells. Unlike a client's subscription it outlives a crash: it is opened again with the next
   * process, and what was told in between is lost. It ends when the server ends it, or is removed. @throws ConfigError, ServerDownError
   */
  async listen(
    prefix: string,
    filter: SubscriptionFilter,
    { signal }: { readonly signal?: AbortSignal } = {},
  ): Promise<Subscription> {
    return this.#supervised(prefix).listen(filter, signal)
  }

  /** All entries, in the order they were added. */
  get providers(): readonly ProviderStatus[] {
    return [...this.#members.values()].map(({ entry, server }) => statusOf(entry, server))
  }

  /**
   * `child`: a supervised server changed its state. `catalogue`: list the tools again; `removed` names those of an entry that was taken
   * out. Returns what stops it.
   */
  on<Event extends keyof ProviderEventMap>(
    event: Event,
    listener: (value: ProviderEventMap[Event]) => void,
  ): () => void {
    return this.#surroundings.events.on(event, listener)
  }

  /** The tools of all entries. Those of a server that is down are its last known. @throws ProviderFailedError (see `onListFailure`) */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    this.#refuseWhenClosed()
    return this.#surroundings.catalogue.list(this.#entries)
  }

  /** Each provider gets its calls as one batch; result n answers call n. Whatever goes wrong is a result with `is_error`. */
  async executeToolCalls(
    calls: readonly ToolCall[],
    options: ExecuteOptions = {},
  ): Promise<readonly ToolResult[]> {
    const closed = this.#closed
    const refused = refusedBatch(calls, options) ?? (closed && refuseAll(calls, closed))
    if (refused) return refused
    const { catalogue } = this.#surroundings
    await catalogue.learn(calls, this.#entries, options)
    return runRouted(calls, options, catalogue)
  }

  /** What the provider of a tool says of it: untrusted hints. Undefined when there is no such tool, or nothing is said. */
  async toolAnnotations(name: string): Promise<ToolAnnotations | undefined> {
    const route = this.#surroundings.catalogue.route(name)
    return route?.entry.annotations(route.name)
  }

  /** Stops all supervised servers, the last that was added first. Calls under way fail. In-process providers are left alone. Idempotent. */
  async close(): Promise<void> {
    const { events, supervisor } = this.#surroundings
    this.#following?.[Symbol.dispose]()
    await supervisor.drain()
    for (const { server, leave } of this.#members.values()) if (!server) await leave()
    events.end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  get #entries(): readonly Entry[] {
    return [...this.#members.values()].map(({ entry }) => entry)
  }

  get #closed(): TransportClosedError | undefined {
    return this.#surroundings.supervisor.isRunning
      ? undefined
      : new TransportClosedError('The registry is closed')
  }

  #holds(other: Registry): boolean {
    const nested = this.#entries.map(({ provider }) => provider)
    return this === other || nested.some((one) => one instanceof Registry && one.#holds(other))
  }

  #supervised(prefix: string): SupervisedServer {
    this.#refuseWhenClosed()
    const server = this.#members.get(prefix)?.server
    if (!server) throw badOption('prefix', `is no supervised server of this registry: ${prefix}`)
    return server
  }

  #refuseWhenClosed(): void {
    const closed = this.#closed
    if (closed) throw closed
  }

  #adopt(what: Provider | StdioServer | HttpServer, options: EntryOptions | ServerOptions): void {
    if (what instanceof Registry && what.#holds(this))
      throw badOption('provider', 'is this registry, or holds it: its names would have no end')
    const member = join(what, options, this.#surroundings)
    const { prefix } = member.entry
    this.#members.set(prefix, member)
    this.#surroundings.catalogue.expire()
    this.#surroundings.events.catalogue([prefix])
  }

  #release({ entry, leave }: Member): Promise<Provider | undefined> {
    const { catalogue, events } = this.#surroundings
    const removed = catalogue.publishedBy(entry)
    catalogue.drop(entry)
    events.removed([entry.prefix], removed)
    return leave()
  }
}
