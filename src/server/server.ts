import type {
  ExecuteOptions,
  Provider,
  ProviderEventMap,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../bridge/provider.ts'
import { badOption, hook } from '../check-options.ts'
import { systemClock } from '../clock.ts'
import { idleClock } from '../idle-clock.ts'
import { Listeners } from '../listeners.ts'
import type { JsonObject } from '../protocol/json-rpc.ts'
import type { ParamHeader } from '../protocol/param-headers.ts'
import { legacyVersions, modernVersions } from '../protocol/versions.ts'
import { Seal } from '../seal.ts'
import type { LoadedServer, LoadServerOptions } from './config/load-server.ts'
import { Dispatcher } from './dispatch/dispatcher.ts'
import { handleModernRequest, type ModernRequestOptions } from './dispatch/handle-modern-request.ts'
import type { Served } from './dispatch/served.ts'
import { spokenVersions } from './dispatch/versions.ts'
import { MemoryReplayStore } from './input/replay-store.ts'
import { RequestStates } from './input/request-states.ts'
import { type LogSink, logSink } from './log-sink.ts'
import { ModelFace } from './model-face.ts'
import { Offer } from './offer.ts'
import { checkServerOptions, type McpServerOptions } from './options.ts'
import { ToolThreads } from './pool/tool-threads.ts'
import { checkName, checkUri } from './registration/names.ts'
import { type PromptDefinition, type PromptHandler, preparePrompt } from './registration/prompt.ts'
import { type GroupOptions, prefixed, type Registrar, type Unregister } from './registration/registrar.ts'
import {
  prepareResource,
  prepareTemplate,
  type ResourceDefinition,
  type ResourceHandler,
  type TemplateDefinition,
} from './registration/resource.ts'
import {
  type HandlerModule,
  prepareTool,
  type ToolDefinition,
  type ToolHandler,
} from './registration/tool.ts'
import { type PlugOptions, plugInto, type Toolkit } from './registration/toolkit.ts'
import { MemoryTaskStore } from './tasks/memory-task-store.ts'
import { ServerTasks } from './tasks/server-tasks.ts'
import type { ToolkitEntry } from './toolkits/load-toolkits.ts'

/** What `McpServer.create` takes. */
export interface CreateOptions extends Omit<McpServerOptions, 'toolkits'> {
  readonly toolkits?: readonly ToolkitEntry[]
}

/**
 * A server of both eras: what it offers is registered once, and served over any number of transports at once. It is a provider too,
 * for programs that have its tools in their own process.
 *
 * ```ts
 * const server = new McpServer({ name: 'greeter' })
 * server.tool('greet', { params: { name: { type: 'string', required: true } } }, ({ name }) => `Hello, ${name}!`)
 * await serveStdio(server)
 * ```
 */
export class McpServer implements Registrar, Provider, AsyncDisposable {
  /** Answers messages; for transports of your own. */
  readonly dispatcher: Dispatcher
  /** Where log messages of its handlers go; for transports of your own. */
  readonly logSink: LogSink
  readonly #offer = new Offer()
  readonly #face: ModelFace
  readonly #listeners = new Listeners<ProviderEventMap>(
    { child: new Set(), catalogue: new Set() },
    (message) => this.logSink.report('warning', message),
  )
  readonly #tasks: ServerTasks
  readonly #threads: ToolThreads

  /**
   * A server whose `toolkits` may also be classes and names, each with its configuration:
   * `['Shell', ['FileSystem', { root: 'docs', prefix: 'docs' }], [Weather, { apiKey }]]`. Named modules are loaded, which runs them.
   * @throws ConfigError
   */
  static async create({ toolkits = [], ...options }: CreateOptions): Promise<McpServer> {
    checkServerOptions(options)
    const { loadToolkits } = await import('./toolkits/load-toolkits.ts')
    return new McpServer({ ...options, toolkits: await loadToolkits(toolkits) })
  }

  /**
   * The server that a file describes, JSON with comments: `name`, `version`, `instructions`, and `tools`, which are toolkits by name
   * with their configuration. What is wrong is told with file, line and key. Its `http` section is checked and left out:
   * `McpServer.load` has that too. @throws ConfigError
   */
  static async fromConfig(path: string): Promise<McpServer> {
    return (await McpServer.load(path)).server
  }

  /**
   * The same as `troupe serve --config` does it: the server, and its `http` section for `serveHttp`. What `options` say wins over the
   * file. @throws ConfigError
   *
   * ```ts
   * const { server, http } = await McpServer.load('server.json')
   * await (http ? serveHttp(server, http) : serveStdio(server))
   * ```
   */
  static async load(path: string, options: LoadServerOptions = {}): Promise<LoadedServer> {
    const { loadServer } = await import('./config/load-server.ts')
    return loadServer(path, options)
  }

  /** @throws ConfigError */
  constructor(options: McpServerOptions) {
    checkServerOptions(options)
    const { threads, clock = systemClock } = options
    this.#threads = new ToolThreads(threads ?? {}, clock)
    const served = this.#served(options)
    this.logSink = served.logSink
    this.#tasks = served.tasks
    this.#offer.onChange(({ kind }) => {
      if (kind === 'tools') this.#listeners.tell('catalogue', { path: [] })
    })
    this.dispatcher = new Dispatcher(served)
    // Spoken with itself, whatever others are offered.
    const itself = new Dispatcher({ ...served, versions: spokenVersions(modernVersions) })
    this.#face = new ModelFace(served, itself, options.toolConcurrency)
    for (const entry of options.toolkits ?? []) {
      const [toolkit, how] = 'register' in entry ? [entry] : entry
      this.plug(toolkit, how)
    }
  }

  tool: Registrar['tool'] = (
    name: string,
    definition: ToolDefinition,
    handler: ToolHandler<never> | HandlerModule,
  ) => this.#offer.tools.add(checkName('tool', name), prepareTool(name, definition, handler, this.#threads))

  resource(uri: string, definition: ResourceDefinition, handler: ResourceHandler): Unregister {
    return this.#offer.resources.add(checkUri(uri), prepareResource(uri, definition, handler))
  }

  template(uriTemplate: string, definition: TemplateDefinition, handler: ResourceHandler): Unregister {
    return this.#offer.templates.add(checkUri(uriTemplate), prepareTemplate(uriTemplate, definition, handler))
  }

  prompt(name: string, definition: PromptDefinition, handler: PromptHandler): Unregister {
    return this.#offer.prompts.add(checkName('prompt', name), preparePrompt(name, definition, handler))
  }

  group(prefix: string, register: (group: Registrar) => void, options?: GroupOptions): void {
    const complaint = hook(register)
    if (complaint) throw badOption('register', complaint, ['group'])
    register(prefixed(this, prefix, options))
  }

  /** Registers all that a toolkit has, under a prefix if it or its user names one. @throws ConfigError, and then nothing of it stays */
  plug(toolkit: Toolkit, options: PlugOptions = {}): Unregister {
    return plugInto(this, toolkit, options)
  }

  /** Tells who subscribed to it that a resource, or something below its URI, has other content now. */
  resourceUpdated(uri: string): void {
    this.#offer.tell({ kind: 'resource', uri: checkUri(uri) })
  }

  /** The arguments of a tool that HTTP clients mirror into headers; none of a tool that is none. */
  paramHeaders(tool: unknown): readonly ParamHeader[] {
    return typeof tool === 'string' ? (this.#offer.tools.get(tool)?.headers ?? []) : []
  }

  /** The scopes a request over HTTP needs because of what it is about. */
  scopesFor(method: string, { name }: JsonObject): readonly string[] {
    const tool = method === 'tools/call' && typeof name === 'string' ? this.#offer.tools.get(name) : undefined
    return tool?.scopes ?? []
  }

  /**
   * Answers one message, as parsed JSON, of a wire of your own where each request has its answer: a queue, a function in the cloud. It
   * is of the modern era whatever it looks like. Resolves with the answer; with undefined where none is due, to notifications and to
   * requests whose `signal` aborts. Any number at once; never rejects.
   */
  handleModernRequest(message: unknown, options: ModernRequestOptions = {}): Promise<JsonObject | undefined> {
    return handleModernRequest(this.dispatcher, message, options)
  }

  /** What discovery says of this server at the moment, with how long and for whom it may be kept. */
  discoveryDocument(): JsonObject {
    return this.dispatcher.discoveryDocument()
  }

  toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    return this.#face.declarations()
  }

  /**
   * Runs the calls a model asked for, as a client in front of this server would. Result n answers call n; whatever goes wrong is a
   * result with `is_error`. One after the other, unless every tool they name is annotated as read-only and idempotent.
   */
  executeToolCalls(calls: readonly ToolCall[], options: ExecuteOptions = {}): Promise<readonly ToolResult[]> {
    return this.#face.execute(calls, options)
  }

  /** `catalogue`: its tools changed. Returns what stops it. @throws ConfigError for an event that is none */
  on<Event extends keyof ProviderEventMap>(
    event: Event,
    listener: (value: ProviderEventMap[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener)
  }

  /** Ends what it has of its own: tasks are cancelled, and threads stopped. What serves it is closed by itself, and before. */
  async close(): Promise<void> {
    this.#tasks.close()
    await this.#threads.close()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }

  #served(options: McpServerOptions): Served {
    const { name, version = '1.0.0', title, description, websiteUrl, icons, instructions, onLog } = options
    const { discoveryTtlMs = 3_600_000, cacheScope = 'private', pageSize = 1_000 } = options
    const { stateSecret, stateTtlMs = 600_000, replayStore } = options
    const { protocolVersions = [...modernVersions, ...legacyVersions] } = options
    const { tasks = {}, clock = systemClock } = options
    const { ttlMs = 3_600_000, pollIntervalMs = 1_000 } = tasks
    const sink = logSink(name, onLog)
    const more = { title, description, websiteUrl, icons }
    const given = Object.entries(more).filter(([, value]) => value !== undefined)
    return {
      info: { name, version, ...Object.fromEntries(given) },
      instructions,
      versions: spokenVersions(protocolVersions),
      cache: { ttlMs: discoveryTtlMs, cacheScope },
      pageSize,
      offer: this.#offer,
      logSink: sink,
      states: new RequestStates({
        seal: new Seal(stateSecret),
        replays: replayStore === false ? undefined : (replayStore ?? new MemoryReplayStore()),
        lifetimeMs: stateTtlMs,
        now: Date.now,
      }),
      tasks: new ServerTasks({
        store: tasks.store ?? new MemoryTaskStore(),
        ttlMs,
        pollIntervalMs,
        clock: idleClock(clock),
        logSink: sink,
      }),
    }
  }
}
