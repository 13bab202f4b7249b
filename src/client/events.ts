import type { ConnectionSnapshot, Trace } from '../../workers/frames.ts'
import type { Companions, RemoteListeners } from '../../workers/remote-connection.ts'
import { ConfigError } from '../errors.ts'
import type { Notification } from '../protocol/json-rpc.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import type { CallOptions } from './call-options.ts'
import { NoteQueue } from './note-queue.ts'
import type { ClientOptions, StdioClientOptions } from './options.ts'

export interface ClientEventMap {
  readonly notification: Notification
  readonly state: ConnectionSnapshot
}

/** What of a client's options listens. */
export type Listening = Pick<ClientOptions, 'onLog' | 'onWarn' | 'onTrace'> &
  Pick<StdioClientOptions, 'onStderr'>

type Listeners = { readonly [event in keyof ClientEventMap]: Set<(value: ClientEventMap[event]) => void> }

/** Hands what a connection reports to the application. A listener that throws is reported by `onWarn`, and harms nothing else. */
export class ClientEvents implements RemoteListeners {
  readonly #options: Listening
  readonly #listeners: Listeners = { notification: new Set(), state: new Set() }
  readonly #queues = new Set<NoteQueue<Notification>>()
  #stateWaiters: (() => void)[] = []
  #isOver = false

  constructor(options: Listening) {
    this.#options = options
  }

  on<Event extends keyof ClientEventMap>(
    event: Event,
    listener: (value: ClientEventMap[Event]) => void,
  ): () => void {
    if (!Object.hasOwn(this.#listeners, event)) {
      throw new ConfigError({
        path: ['event'],
        reason: `must be one of ${Object.keys(this.#listeners).join(', ')}`,
      })
    }
    this.#listeners[event].add(listener)
    return () => void this.#listeners[event].delete(listener)
  }

  notifications(): AsyncIterableIterator<Notification> {
    const queue: NoteQueue<Notification> = new NoteQueue(() => this.#queues.delete(queue))
    if (this.#isOver) queue.end()
    else this.#queues.add(queue)
    return queue
  }

  nextState(): Promise<void> {
    return new Promise((resolve) => this.#stateWaiters.push(resolve))
  }

  snapshot(snapshot: ConnectionSnapshot): void {
    for (const listener of this.#listeners.state) this.#call('a state listener', listener, snapshot)
    for (const resolve of this.#stateWaiters.splice(0)) resolve()
    if (snapshot.value === 'closed') this.end()
  }

  notification(notification: Notification): void {
    const { method, params } = notification
    if (method === 'notifications/message' && isLoggingLevel(params.level)) {
      const { level, logger, data } = params
      this.#call('onLog', this.#options.onLog, { level, data, ...(typeof logger === 'string' && { logger }) })
    }
    for (const listener of this.#listeners.notification)
      this.#call('a notification listener', listener, notification)
    for (const queue of this.#queues) queue.push(notification)
  }

  warning(message: string): void {
    try {
      this.#options.onWarn?.(message)
    } catch {
      // Whoever reports trouble with the reporter?
    }
  }

  stderr(line: string): void {
    this.#call('onStderr', this.#options.onStderr, line)
  }

  trace(trace: Trace): void {
    this.#call('onTrace', this.#options.onTrace, trace)
  }

  end(): void {
    this.#isOver = true
    for (const queue of this.#queues) queue.end()
  }

  /** A call's own callbacks, made harmless. */
  guarded({ signal, onProgress, onTask }: CallOptions): Companions {
    if (!onProgress && !onTask) return signal ? { signal } : none
    let taskReports = 0
    return {
      signal,
      onProgress: (report) => this.#call('onProgress', onProgress, report),
      // What a task says of itself is progress too.
      onTask: (task) => {
        this.#call('onTask', onTask, task)
        const { statusMessage: message } = task
        if (message !== undefined) this.#call('onProgress', onProgress, { progress: ++taskReports, message })
      },
    }
  }

  #call<Value>(name: string, listener: ((value: Value) => void) | undefined, value: Value): void {
    try {
      listener?.(value)
    } catch (error) {
      this.warning(`${name} threw: ${error instanceof Error ? error.message : error}`)
    }
  }
}

const none: Companions = {}
