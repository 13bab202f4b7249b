import type { ConnectionSnapshot, Sight, Trace } from '../../workers/frames.ts'
import type { Companions, RemoteListeners } from '../../workers/remote-connection.ts'
import type { ProviderEventMap } from '../bridge/provider.ts'
import { systemClock } from '../clock.ts'
import { Listeners } from '../listeners.ts'
import type { Notification } from '../protocol/json-rpc.ts'
import { isLoggingLevel } from '../protocol/logging.ts'
import { quietly } from '../quietly.ts'
import { thrownMessage } from '../thrown-message.ts'
import type { CallOptions } from './call-options.ts'
import { Coalesced } from './coalesced.ts'
import type { ConnectionInspection } from './inspection/connection-inspection.ts'
import { NoteQueue } from './note-queue.ts'
import type { ClientOptions, StdioClientOptions } from './options.ts'

/** A client is no supervisor: it has no `child` to tell of. */
export interface ClientEventMap extends ProviderEventMap {
  readonly notification: Notification
  readonly state: ConnectionSnapshot
}

/** What of a client's options listens. */
export type Listening = Pick<ClientOptions, 'onLog' | 'onWarn' | 'onTrace'> &
  Pick<StdioClientOptions, 'onStderr'>

/** Hands what a connection reports to the application. A listener that throws is reported by `onWarn`, and harms nothing else. */
export class ClientEvents implements RemoteListeners {
  readonly warning: (message: string) => void
  readonly #options: Listening
  readonly #listeners = new Listeners<ClientEventMap>(
    { notification: new Set(), state: new Set(), catalogue: new Set(), child: new Set() },
    (message) => this.warning(message),
  )
  /** A server that changes many tools says so for each. */
  readonly #catalogue = new Coalesced(systemClock, () => this.#listeners.tell('catalogue', { path: [] }))
  readonly #queues = new Set<NoteQueue<Notification>>()
  readonly #inspection: Promise<ConnectionInspection> | undefined
  #stateWaiters: (() => void)[] = []
  #toolsEpoch = 0
  #isOver = false

  constructor(options: Listening, inspection: Promise<ConnectionInspection> | undefined) {
    this.warning = quietly(options.onWarn)
    this.#options = options
    this.#inspection = inspection
    this.#inspect(() => {})
  }

  on<Event extends keyof ClientEventMap>(
    event: Event,
    listener: (value: ClientEventMap[Event]) => void,
  ): () => void {
    return this.#listeners.on(event, listener)
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
    if (this.#inspection) this.#inspect((inspection) => inspection.snapshot(snapshot))
    this.#listeners.tell('state', snapshot)
    for (const resolve of this.#stateWaiters.splice(0)) resolve()
    if (snapshot.value === 'closed') this.end()
  }

  notification(notification: Notification): void {
    const { method, params } = notification
    if (method === 'notifications/message' && isLoggingLevel(params.level)) {
      const { level, logger, data } = params
      this.tell('onLog', this.#options.onLog, { level, data, ...(typeof logger === 'string' && { logger }) })
    }
    this.#listeners.tell('notification', notification)
    for (const queue of this.#queues) queue.push(notification)
  }

  toolsChanged(): void {
    this.#toolsEpoch += 1
    if (!this.#isOver) this.#catalogue.trigger()
  }

  /** Counts how often what was listed of the tools got out of date. */
  get toolsEpoch(): number {
    return this.#toolsEpoch
  }

  stderr(line: string): void {
    this.tell('onStderr', this.#options.onStderr, line)
  }

  trace(trace: Trace): void {
    this.tell('onTrace', this.#options.onTrace, trace)
  }

  /** Nobody looks any more. */
  unwatched(): void {
    this.#inspect((inspection) => inspection.unwatched())
  }

  sight(sight: Sight): void {
    this.#inspect((inspection) => inspection.sight(sight))
  }

  end(): void {
    this.#isOver = true
    this.#catalogue.stop()
    for (const queue of this.#queues) queue.end()
  }

  /** A call's own callbacks, made harmless. */
  guarded({ signal, onProgress, onTask }: CallOptions): Companions {
    if (!onProgress && !onTask) return signal ? { signal } : none
    let taskReports = 0
    return {
      signal,
      onProgress: (report) => this.tell('onProgress', onProgress, report),
      // What a task says of itself is progress too.
      onTask: (task) => {
        this.tell('onTask', onTask, task)
        const { statusMessage: message } = task
        if (message !== undefined) this.tell('onProgress', onProgress, { progress: ++taskReports, message })
      },
    }
  }

  /** Calls a callback of the application's and survives it. */
  tell<Value>(name: string, listener: ((value: Value) => void) | undefined, value: Value): void {
    try {
      listener?.(value)
    } catch (error) {
      this.warning(thrown(name, error))
    }
  }

  #inspect(show: (inspection: ConnectionInspection) => void): void {
    this.#inspection?.then(show).catch((error) => this.warning(thrown('inspect', error)))
  }
}

function thrown(name: string, error: unknown): string {
  return `${name} threw: ${thrownMessage(error)}`
}

const none: Companions = {}
