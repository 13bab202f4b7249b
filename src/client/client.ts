import { initialContext } from '../../machines/connection-facts.ts'
import type { ConnectionSnapshot } from '../../workers/frames.ts'
import { RemoteConnection } from '../../workers/remote-connection.ts'
import type { ExecuteOptions, Provider, ToolCall, ToolDeclaration, ToolResult } from '../bridge/provider.ts'
import type { ReadyCall } from '../bridge/read-call.ts'
import type { ToolOutcome } from '../bridge/tool-result.ts'
import { ConfigError, ProtocolError } from '../errors.ts'
import type { ClientCapabilities, ServerCapabilities } from '../protocol/capabilities.ts'
import type { Completion, CompletionArgument, CompletionReference } from '../protocol/completion.ts'
import { ErrorCode } from '../protocol/error-codes.ts'
import type { Implementation } from '../protocol/implementation.ts'
import type { Notification } from '../protocol/json-rpc.ts'
import type { LoggingLevel } from '../protocol/logging.ts'
import type { GetPromptResult, Prompt } from '../protocol/prompts.ts'
import type { ReadResourceResult, Resource, ResourceTemplate } from '../protocol/resources.ts'
import type { SubscriptionFilter } from '../protocol/subscriptions.ts'
import type { CallToolResult, Tool, ToolAnnotations } from '../protocol/tools.ts'
import type { Era } from '../protocol/versions.ts'
import { type CallOptions, type ListOptions, nameText, type ReadOptions } from './call-options.ts'
import { type ClientEventMap, ClientEvents } from './events.ts'
import { beginInspection } from './inspection/begin.ts'
import { watchingOf } from './inspection/inspect.ts'
import {
  connectionOptions,
  httpSpec,
  openLink,
  type RequestSources,
  stdioSpec,
  type WireChoice,
} from './open-link.ts'
import {
  type ClientOptions,
  checkHttpOptions,
  checkStdioOptions,
  type HttpClientOptions,
  type StdioClientOptions,
} from './options.ts'
import { type ProbeReport, probeReport } from './probe-report.ts'
import { Requests } from './requests.ts'
import type { Subscription } from './subscription.ts'
import { Toolbox } from './toolbox.ts'

/**
 * One server, whatever era it speaks. A thin face: the connection is a state machine in a worker thread, this numbers calls and
 * hands out answers. Calls wait until the server is ready; several may be under way at once. Close it, or `await using` it.
 */
export class McpClient implements Provider, AsyncDisposable {
  /** What servers are told this client can be asked: derived from the hooks. */
  readonly declaredCapabilities: ClientCapabilities
  readonly #remote: RemoteConnection
  readonly #events: ClientEvents
  readonly #requests: Requests
  readonly #toolbox: Toolbox
  readonly #hasTasks: boolean

  /** Runs a server as a child process. The process starts at once; the era is probed, once. @throws ConfigError */
  static connectStdio(options: StdioClientOptions): McpClient {
    checkStdioOptions(options)
    return new McpClient(options.transport ?? stdioSpec(options), options)
  }

  /** Talks to a server on a URL: streamable HTTP of either era, else HTTP+SSE. @throws ConfigError */
  static connectHttp(options: HttpClientOptions): McpClient {
    checkHttpOptions(options)
    const { headers, auth, url = '' } = options
    return new McpClient(options.transport ?? httpSpec(options), options, {
      ...(typeof headers === 'function' && { headers }),
      ...(auth && { tokens: { url, auth } }),
    })
  }

  private constructor(wire: WireChoice, options: ClientOptions, sources: RequestSources = {}) {
    const connection = connectionOptions(options)
    this.declaredCapabilities = connection.clientCapabilities
    this.#hasTasks = connection.tasks
    const initial: ConnectionSnapshot = { value: 'idle', context: initialContext(connection) }
    this.#events = new ClientEvents(options, beginInspection(options, wire, initial))
    this.#remote = new RemoteConnection(initial, this.#events, (receive) =>
      openLink(wire, options, sources, connection, receive),
    )
    this.#requests = new Requests(this.#remote, this.#events)
    this.#toolbox = new Toolbox(this.#requests, this.#events, options)
    const unwatch = watchingOf(options.inspect)?.onChange((isOn) => {
      this.#remote.watch(isOn)
      if (!isOn) this.#events.unwatched()
    })
    if (unwatch) void this.#remote.ended.then(unwatch)
  }

  /** The machine as it was last seen: its state, and what is known of the server. */
  get state(): ConnectionSnapshot {
    return this.#remote.snapshot
  }

  /** The server's process id, which is also its process group's; undefined while there is no process. */
  get processId(): number | undefined {
    return this.#remote.processGroupId
  }

  async era(): Promise<Era> {
    return (await this.#requests.known()).era ?? 'legacy'
  }

  async protocolVersion(): Promise<string> {
    return (await this.#requests.known()).version ?? ''
  }

  /** Every version a modern server named; empty for a legacy one. */
  async supportedVersions(): Promise<readonly string[]> {
    return (await this.#requests.known()).supportedVersions
  }

  async serverInfo(): Promise<Implementation | undefined> {
    return (await this.#requests.known()).serverInfo
  }

  async capabilities(): Promise<ServerCapabilities> {
    return (await this.#requests.known()).capabilities
  }

  /** The server's advice to a model. */
  async instructions(): Promise<string | undefined> {
    return (await this.#requests.known()).instructions
  }

  /** How the era was found out; also of a connection that failed. */
  async probeReport(): Promise<ProbeReport> {
    const context = await this.#requests.known().catch(() => this.#remote.snapshot.context)
    return probeReport(context)
  }

  listTools(options: ListOptions = {}): Promise<readonly Tool[]> {
    return this.#toolbox.list(options)
  }

  listResources(options: ListOptions = {}): Promise<readonly Resource[]> {
    return this.#requests.list('resources/list', options)
  }

  listResourceTemplates(options: ListOptions = {}): Promise<readonly ResourceTemplate[]> {
    return this.#requests.list('resources/templates/list', options)
  }

  listPrompts(options: ListOptions = {}): Promise<readonly Prompt[]> {
    return this.#requests.list('prompts/list', options)
  }

  /**
   * Calls a tool; what it asks for on the way is answered by the hooks. A tool that failed is a result with `isError`.
   * `structuredContent` is checked against the tool's `outputSchema` once the tools were listed on this connection.
   * @throws TimeoutError, CancelledError, ServerGoneError, ProtocolError, InvalidResultError, InputLoopExceededError …
   */
  callTool(name: string, args: object = {}, options: CallOptions = {}): Promise<CallToolResult> {
    return this.#requests.call('tools/call', name, args, options)
  }

  /** Waits for a task of this server that was begun before, also by another connection; needs `tasks: true`. */
  async resumeTask(taskId: string, options: CallOptions = {}): Promise<CallToolResult> {
    if (!this.#hasTasks) throw new ConfigError({ path: ['tasks'], reason: 'must be true to resume a task' })
    const params = `{"taskId":${nameText('taskId', taskId)}}`
    if ((await this.era()) === 'legacy') {
      throw new ConfigError({ path: ['tasks'], reason: 'belong to the modern era; this server is legacy' })
    }
    return this.#requests.send({ method: 'tasks/get', params, subject: taskId }, options)
  }

  getPrompt(
    name: string,
    args: { readonly [argument: string]: string } = {},
    options: CallOptions = {},
  ): Promise<GetPromptResult> {
    return this.#requests.call('prompts/get', name, args, options)
  }

  async readResource(uri: string, options: ReadOptions = {}): Promise<ReadResourceResult> {
    return this.#requests.read(uri, options)
  }

  /** Values an argument of a prompt or template could take. `context` holds arguments decided already. */
  async complete(
    ref: CompletionReference,
    argument: CompletionArgument,
    context?: { readonly [argument: string]: string },
    options: CallOptions = {},
  ): Promise<Completion> {
    const params = JSON.stringify({ ref, argument, ...(context && { context: { arguments: context } }) })
    const { completion } = await this.#requests.send<{ readonly completion: Completion }>(
      { method: 'completion/complete', params, subject: undefined },
      options,
    )
    return completion
  }

  /** True when the server answered, false when it has no such utility (modern servers have none). */
  async ping(options: CallOptions = {}): Promise<boolean> {
    try {
      await this.#requests.send({ method: 'ping', params: '{}', subject: undefined }, options)
      return true
    } catch (error) {
      if (error instanceof ProtocolError && error.code === ErrorCode.MethodNotFound) return false
      throw error
    }
  }

  /** Sets the level of the session (legacy), or of every request from now on (modern). False when the server has no logging. */
  setLogLevel(level: LoggingLevel): Promise<boolean> {
    return this.#requests.setLogLevel(level)
  }

  /**
   * Subscribes; resolves once the server has acknowledged, with what it honours. On a legacy server this is
   * resources/subscribe and the list_changed notifications.
   */
  listen(filter: SubscriptionFilter, { signal }: Pick<CallOptions, 'signal'> = {}): Promise<Subscription> {
    return this.#requests.listen(filter, signal)
  }

  /** Every notification from now on; ends when the connection does. A reader that lags more than 10 000, or 16 Mi characters, behind loses the oldest. */
  notifications(): AsyncIterableIterator<Notification> {
    return this.#events.notifications()
  }

  /**
   * Calls back on every `notification`, every change of `state`, and when the tools may have changed (`catalogue`; a modern server is
   * subscribed to for it). Returns what stops it.
   */
  on<Event extends keyof ClientEventMap>(
    event: Event,
    listener: (value: ClientEventMap[Event]) => void,
  ): () => void {
    const stop = this.#events.on(event, listener)
    if (event === 'catalogue') this.#toolbox.watch()
    return stop
  }

  /** What the server says of one of its tools: untrusted hints. Undefined when it has no such tool. */
  toolAnnotations(name: string): Promise<ToolAnnotations | undefined> {
    return this.#toolbox.annotations(name)
  }

  /**
   * The tools as function declarations for a model. A name that model APIs refuse is replaced: `executeToolCalls` knows the tool by the
   * new one. @throws what `listTools` throws
   */
  toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    return this.#toolbox.declarations()
  }

  /**
   * Runs the calls a model asked for. Result n answers call n; whatever goes wrong is a result with `is_error` that says so. One after
   * the other, unless the server annotated every tool they name as read-only and idempotent: then up to `toolConcurrency` at once, and
   * identical calls are made once.
   */
  executeToolCalls(calls: readonly ToolCall[], options: ExecuteOptions = {}): Promise<readonly ToolResult[]> {
    return this.#toolbox.execute(calls, options)
  }

  /** One of them, by the tool's own name, read by whoever schedules calls; where `executeToolCalls` says in words what went wrong, this throws it. */
  runToolCall(call: ReadyCall, options: ExecuteOptions = {}): Promise<ToolOutcome> {
    return this.#toolbox.run(call, options)
  }

  /** Ends the connection and its process. Calls under way fail with TransportClosedError. Idempotent. */
  async close(): Promise<void> {
    await this.#remote.close()
    this.#events.end()
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close()
  }
}
