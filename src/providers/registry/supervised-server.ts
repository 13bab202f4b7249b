import type { SupervisedChildContext } from '../../../machines/index.ts'
import { mayRunAtOnce } from '../../bridge/declaration.ts'
import type {
  ChildState,
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import type { ReadyCall } from '../../bridge/read-call.ts'
import { runBatch } from '../../bridge/run-batch.ts'
import { notBegun, type ToolOutcome } from '../../bridge/tool-result.ts'
import type { Subscription } from '../../client/subscription.ts'
import { CancelledError } from '../../errors.ts'
import type { SubscriptionFilter } from '../../protocol/subscriptions.ts'
import type { ToolAnnotations } from '../../protocol/tools.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { type Incarnation, isDeath } from './incarnation.ts'
import { KnownTools } from './known-tools.ts'
import { ServerLife, type ServerLifeParts } from './server-life.ts'
import { StandingSubscriptions } from './standing-subscriptions.ts'

export interface SupervisedServerParts extends ServerLifeParts {
  readonly retryReads: boolean
  readonly toolConcurrency: number | undefined
  readonly onMoved: (state: ChildState, context: SupervisedChildContext) => void
  readonly onCatalogue: () => void
  readonly warn: (message: string) => void
}

/** A server as a provider that outlives its processes: while it is down its tools stay published, and calls wait. */
export class SupervisedServer implements Provider {
  readonly life: ServerLife
  readonly #parts: SupervisedServerParts
  readonly #tools: KnownTools
  readonly #subscriptions: StandingSubscriptions

  constructor(parts: SupervisedServerParts) {
    this.#parts = parts
    this.#tools = new KnownTools(parts.onCatalogue)
    this.life = new ServerLife(parts, {
      served: (incarnation) => this.#welcome(incarnation),
      moved: (state, context) => {
        if (state === 'stopped') this.#subscriptions.endAll()
        parts.onMoved(state, context)
      },
    })
    this.#subscriptions = new StandingSubscriptions(this.life)
  }

  /** Waits for a server that never listed. @throws ServerDownError, or why it cannot list */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const { declarations } = this.#tools
    if (declarations && !this.life.serving) return declarations
    return this.life.during(() => this.#list(this.life.latestMs()))
  }

  executeToolCalls(calls: readonly ToolCall[], options: ExecuteOptions = {}): Promise<readonly ToolResult[]> {
    const { toolConcurrency } = this.#parts
    return this.life.during(() =>
      runBatch(calls, {
        toolConcurrency,
        signal: options.signal,
        isParallel: (tool) => this.#mayRunAtOnce(tool),
        execute: (call) => this.#execute(call, options),
      }),
    )
  }

  listen(filter: SubscriptionFilter, signal: AbortSignal | undefined): Promise<Subscription> {
    return this.#subscriptions.open(filter, signal)
  }

  async toolAnnotations(tool: string): Promise<ToolAnnotations | undefined> {
    return this.#tools.get(tool)?.annotations
  }

  async #list(untilMs: number): Promise<readonly ToolDeclaration[]> {
    for (;;) {
      const incarnation = await this.life.whenServing(undefined, untilMs)
      try {
        return await this.#tools.list(incarnation.client)
      } catch (failure) {
        if (!isDeath(failure, incarnation)) throw failure
        incarnation.expire()
        if (this.#tools.declarations) return this.#tools.declarations
      }
    }
  }

  #mayRunAtOnce(tool: string): boolean {
    return mayRunAtOnce(this.#tools.get(tool)?.annotations)
  }

  /** A call is sent once, whatever happens; only a read may be repeated, where that was asked for. */
  async #execute(call: ReadyCall, options: ExecuteOptions): Promise<ToolOutcome> {
    const incarnation = await this.#serving(options.signal)
    if (!incarnation) return notBegun
    try {
      return await incarnation.client.runToolCall(call, options)
    } catch (failure) {
      if (!isDeath(failure, incarnation)) throw failure
      // What comes next waits for its successor, also where its end is told only in a moment.
      incarnation.expire()
      const mayRepeat = this.#parts.retryReads && this.#mayRunAtOnce(call.name)
      if (!mayRepeat) throw failure
    }
    const { client } = await this.life.whenServing(options.signal)
    return client.runToolCall(call, options)
  }

  /** Undefined when it was cancelled first. */
  async #serving(signal: AbortSignal | undefined): Promise<Incarnation | undefined> {
    try {
      return await this.life.whenServing(signal)
    } catch (failure) {
      if (failure instanceof CancelledError) return undefined
      throw failure
    }
  }

  /** Whatever was known of the one before may be wrong of this one: its tools are listed again, its changes listened to. */
  #welcome(incarnation: Incarnation): void {
    incarnation.client.on('catalogue', () => {
      if (!incarnation.isServing) return
      this.#tools.expire()
      this.#relist(incarnation)
    })
    this.#relist(incarnation)
    this.#subscriptions.renew(incarnation)
  }

  #relist(incarnation: Incarnation): void {
    this.#tools.list(incarnation.client).catch((failure) => {
      if (incarnation.isServing)
        this.#parts.warn(`${this.#parts.name} cannot list its tools: ${thrownMessage(failure)}`)
    })
  }
}
