import { setMaxListeners } from 'node:events'
import { fromErrorData, toErrorData } from '../src/error-data.ts'
import { CancelledError, type McpError, TransportClosedError } from '../src/errors.ts'
import type { Notification } from '../src/protocol/json-rpc.ts'
import type { Progress } from '../src/protocol/progress.ts'
import type { Task } from '../src/protocol/tasks.ts'
import type { CallId, ConnectionSnapshot, Downlink, Sight, Trace, Uplink } from './frames.ts'
import type { Link } from './link.ts'
import { processLedger } from './process-ledger.ts'

/** What a connection reports to its host outside of answers. */
export interface RemoteListeners {
  snapshot(snapshot: ConnectionSnapshot): void
  notification(notification: Notification): void
  /** What was listed of the tools may be out of date. */
  toolsChanged(): void
  warning(message: string): void
  stderr(line: string): void
  trace(trace: Trace): void
  sight(sight: Sight): void
}

export interface SubscriptionListener {
  next(notification: Notification): void
  /** Once; `failure` is undefined when either side ended it on purpose. */
  end(failure: McpError | undefined): void
}

/** What may go along with one request. */
export interface Companions {
  readonly signal?: AbortSignal
  readonly onProgress?: (report: Progress) => void
  readonly onTask?: (task: Task) => void
  readonly subscription?: SubscriptionListener
}

/** A frame that is answered. */
export type Request = Exclude<Downlink, { kind: 'cancel' }>

interface Pending {
  readonly resolve: (result: unknown) => void
  readonly reject: (failure: McpError) => void
  readonly companions: Companions
  readonly abort: (() => void) | undefined
}

/** The host's end of one connection: numbers its requests and gives each its answer. One look-up an answer. */
export class RemoteConnection {
  /** Resolves when the connection is down and nothing of it is left; never rejects. */
  readonly ended: Promise<void>
  readonly #listeners: RemoteListeners
  readonly #pending = new Map<CallId, Pending>()
  readonly #subscriptions = new Map<CallId, SubscriptionListener>()
  readonly #processGroups = new Set<number>()
  #opening: Promise<void> = Promise.resolve()
  #nextId = 1
  #link: Link | undefined
  #outbox: Downlink[] = []
  #snapshot: ConnectionSnapshot
  #failure: McpError | undefined

  constructor(
    initial: ConnectionSnapshot,
    listeners: RemoteListeners,
    open: (receive: (frame: Uplink) => void) => Promise<Link>,
  ) {
    this.#snapshot = initial
    this.#listeners = listeners
    this.ended = this.#run(open)
  }

  get snapshot(): ConnectionSnapshot {
    return this.#snapshot
  }

  /** Why no call can be made any more. */
  get failure(): McpError | undefined {
    return this.#failure
  }

  /** The process group of a server that runs on this machine. */
  get processGroupId(): number | undefined {
    const [group] = this.#processGroups
    return group
  }

  nextId(): CallId {
    return this.#nextId++
  }

  request(request: Request, companions: Companions = {}): Promise<unknown> {
    return new Promise((resolve, reject) => {
      if (this.#failure) return reject(this.#failure)
      const { id } = request
      const { signal } = companions
      const abort = signal && (() => this.#abort(request))
      if (signal?.aborted) return reject(cancelled(request, signal))
      if (abort) {
        // Any number of calls may share a signal; each listener goes with its call, so many of them are no leak.
        setMaxListeners(0, signal)
        signal.addEventListener('abort', abort, { once: true })
      }
      this.#pending.set(id, { resolve, reject, companions, abort })
      // Notes may come before the acknowledgement.
      if (companions.subscription) this.#subscriptions.set(id, companions.subscription)
      this.#post(request)
    })
  }

  /** Ends a subscription, or a request nobody waits for any more. */
  cancel(id: CallId): void {
    this.#post({ kind: 'cancel', id })
  }

  /** Whether somebody looks on from now; how it began stands in the connection's options. */
  watch(isWatched: boolean): void {
    void this.#opening.then(() => this.#link?.watch(isWatched))
  }

  async close(): Promise<void> {
    this.#fail(new TransportClosedError())
    await this.#opening
    await this.#link?.close()
    await this.ended
  }

  async #run(open: (receive: (frame: Uplink) => void) => Promise<Link>): Promise<void> {
    try {
      const opening = open((frame) => this.#receive(frame))
      this.#opening = opening.then(
        (link) => this.#attach(link),
        () => {},
      )
      const link = await opening
      await link.ended
      const { failure } = this.#snapshot.context
      await this.#over(failure ? fromErrorData(failure) : new TransportClosedError())
    } catch (error) {
      await this.#over(fromErrorData(toErrorData(error)))
    }
  }

  #attach(link: Link): void {
    this.#link = link
    const waiting = this.#outbox
    this.#outbox = []
    for (const frame of waiting) link.post(frame)
  }

  #post(frame: Downlink): void {
    if (this.#link) this.#link.post(frame)
    else this.#outbox.push(frame)
  }

  #receive(frame: Uplink): void {
    switch (frame.kind) {
      case 'result':
        return this.#settle(frame.id)?.resolve(frame.result)
      case 'failure': {
        const pending = this.#settle(frame.id)
        this.#subscriptions.delete(frame.id)
        return pending?.reject(fromErrorData(frame.error))
      }
      case 'progress':
        return this.#pending.get(frame.id)?.companions.onProgress?.(frame.report)
      case 'task':
        return this.#pending.get(frame.id)?.companions.onTask?.(frame.task)
      case 'notification':
        return this.#listeners.notification(frame.notification)
      case 'toolsChanged':
        return this.#listeners.toolsChanged()
      case 'subscribed':
        return this.#subscriptions.get(frame.id)?.next(frame.notification)
      case 'unsubscribed':
        return this.#endSubscription(frame.id, frame.error && fromErrorData(frame.error))
      case 'snapshot':
        return this.#show(frame.snapshot)
      case 'moved':
        return this.#show({ value: frame.value, context: { ...this.#snapshot.context, ...frame.counters } })
      case 'warning':
        return this.#listeners.warning(frame.message)
      case 'stderr':
        return this.#listeners.stderr(frame.line)
      case 'trace':
        return this.#listeners.trace(frame.trace)
      case 'sight':
        return this.#listeners.sight(frame.sight)
      case 'spawned':
        this.#processGroups.add(frame.processGroupId)
        return processLedger.add(frame.processGroupId)
      case 'reaped':
        this.#processGroups.delete(frame.processGroupId)
        return processLedger.remove(frame.processGroupId)
    }
  }

  #show(snapshot: ConnectionSnapshot): void {
    this.#snapshot = snapshot
    this.#listeners.snapshot(snapshot)
  }

  #settle(id: CallId): Pending | undefined {
    const pending = this.#pending.get(id)
    if (!pending) return undefined
    this.#pending.delete(id)
    const { companions, abort } = pending
    if (abort) companions.signal?.removeEventListener('abort', abort)
    return pending
  }

  #abort(request: Request): void {
    const pending = this.#settle(request.id)
    if (!pending) return
    this.#subscriptions.delete(request.id)
    this.#post({ kind: 'cancel', id: request.id })
    pending.reject(cancelled(request, pending.companions.signal))
  }

  #endSubscription(id: CallId, failure: McpError | undefined): void {
    const subscription = this.#subscriptions.get(id)
    this.#subscriptions.delete(id)
    subscription?.end(failure)
  }

  /** Nothing of the connection is left, or its thread died: then its servers must go too. */
  async #over(failure: McpError): Promise<void> {
    const deaths = [...this.#processGroups].map((group) => processLedger.kill(group))
    this.#processGroups.clear()
    this.#fail(failure)
    if (this.#snapshot.value !== 'closed') {
      const context = { ...this.#snapshot.context, failure: toErrorData(this.#failure) }
      this.#receive({ kind: 'snapshot', snapshot: { value: 'closed', context } })
    }
    await Promise.all(deaths)
  }

  #fail(failure: McpError): void {
    this.#failure ??= failure
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(failure)
    for (const id of [...this.#subscriptions.keys()]) this.#endSubscription(id, failure)
  }
}

function cancelled(request: Request, signal: AbortSignal | undefined): CancelledError {
  const method = request.kind === 'call' || request.kind === 'list' ? request.method : request.kind
  return new CancelledError({ method }, { cause: signal?.reason })
}
