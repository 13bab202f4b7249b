import type { ConnectionContext } from '../../machines/connection-facts.ts'
import type { CallFrame, ListMethod } from '../../workers/frames.ts'
import type { RemoteConnection } from '../../workers/remote-connection.ts'
import { fromErrorData } from '../error-data.ts'
import { ConfigError, type McpError } from '../errors.ts'
import type { Notification } from '../protocol/json-rpc.ts'
import { isLoggingLevel, type LoggingLevel, loggingLevels } from '../protocol/logging.ts'
import type { ReadResourceResult } from '../protocol/resources.ts'
import { checkFilter, type SubscriptionFilter } from '../protocol/subscriptions.ts'
import {
  argumentsText,
  budgetOf,
  type CallOptions,
  checkCallOptions,
  checkListOptions,
  checkReadOptions,
  type ListOptions,
  metaText,
  nameText,
  type ReadOptions,
} from './call-options.ts'
import type { ClientEvents } from './events.ts'
import { NoteQueue } from './note-queue.ts'
import { Subscription } from './subscription.ts'

/** What is sent, and what it is about. */
export interface Wanted extends Pick<CallFrame, 'method' | 'params' | 'subject'> {
  /** What only calls of a model carry. */
  readonly forModel?: Pick<CallFrame, 'as' | 'toolCallId' | 'claim'>
}

/** What a client asks of its connection: checked, numbered, sent. */
export class Requests {
  readonly #remote: RemoteConnection
  readonly #events: ClientEvents

  constructor(remote: RemoteConnection, events: ClientEvents) {
    this.#remote = remote
    this.#events = events
  }

  /** Why the connection is over; undefined while it is not. */
  get failure(): McpError | undefined {
    return this.#remote.failure
  }

  /** What is known of the server once its era is. */
  async known(): Promise<ConnectionContext> {
    for (;;) {
      const { value, context } = this.#remote.snapshot
      if (typeof value === 'object') return context
      if (this.#remote.failure) throw this.#remote.failure
      if (value === 'closing' || value === 'closed') {
        await this.#remote.ended
        throw context.failure ? fromErrorData(context.failure) : this.#remote.failure
      }
      await this.#events.nextState()
    }
  }

  async list<Item>(method: ListMethod, options: ListOptions): Promise<readonly Item[]> {
    checkListOptions(options)
    const { refresh = false, signal } = options
    const id = this.#remote.nextId()
    const items = await this.#remote.request(
      { kind: 'list', id, method, refresh, budget: budgetOf(options) },
      { signal },
    )
    return items as readonly Item[]
  }

  /** A tool or a prompt, by its name. @throws ConfigError when name, arguments or options are bad */
  async call<Result>(
    method: string,
    name: string,
    args: object,
    options: CallOptions,
    forModel?: Wanted['forModel'],
  ): Promise<Result> {
    const params = `{"name":${nameText('name', name)},"arguments":${argumentsText(args)}}`
    return this.send({ method, params, subject: name, ...(forModel && { forModel }) }, options)
  }

  /** A resource, by its URI: perhaps as it was read before. @throws ConfigError when the options are bad */
  read(uri: string, options: ReadOptions): Promise<ReadResourceResult> {
    checkReadOptions(options)
    const params = `{"uri":${nameText('uri', uri)}}`
    return this.#send({ method: 'resources/read', params, subject: uri }, options)
  }

  /** @throws ConfigError when the options are bad */
  send<Result>(wanted: Wanted, options: CallOptions): Promise<Result> {
    checkCallOptions(options)
    return this.#send(wanted, options)
  }

  async listen(filter: SubscriptionFilter, signal?: AbortSignal): Promise<Subscription> {
    const complaint = checkFilter(filter)
    if (complaint) throw new ConfigError({ path: ['filter'], reason: complaint })
    const id = this.#remote.nextId()
    const notes = new NoteQueue<Notification>(() => this.#remote.cancel(id))
    const subscription = {
      next: (note: Notification) => notes.push(note),
      end: (failure?: Error) => notes.end(failure),
    }
    const honoured = await this.#remote.request({ kind: 'listen', id, filter }, { signal, subscription })
    return new Subscription(honoured as SubscriptionFilter, notes)
  }

  /** False when the server has no logging. */
  async setLogLevel(level: LoggingLevel): Promise<boolean> {
    if (!isLoggingLevel(level))
      throw new ConfigError({ path: ['level'], reason: `must be one of ${loggingLevels.join(', ')}` })
    const result = await this.#remote.request({ kind: 'setLevel', id: this.#remote.nextId(), level })
    return result === true
  }

  /** Results were checked where they were parsed: in the connection. */
  #send<Result>({ method, params, subject, forModel }: Wanted, options: ReadOptions): Promise<Result> {
    const { onProgress, progressToken, refresh = false } = options
    const frame = {
      kind: 'call',
      id: this.#remote.nextId(),
      method,
      params,
      subject,
      meta: metaText(options.meta),
      progress: progressToken ?? (onProgress && true),
      refresh,
      budget: budgetOf(options),
      ...forModel,
    } as const
    return this.#remote.request(frame, this.#events.guarded(options)) as Promise<Result>
  }
}
