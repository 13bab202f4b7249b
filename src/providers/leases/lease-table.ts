import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { createActor } from 'xstate'
import {
  type LeaseAnswer,
  type LeaseMessage,
  leaseTableMachine,
  nextDeadline,
} from '../../../machines/index.ts'
import { type Check, checkOptions, hook, milliseconds, object } from '../../check-options.ts'
import type { Inspect } from '../../client/inspection/inspect.ts'
import { type Clock, systemClock } from '../../clock.ts'
import { InternalError } from '../../errors.ts'
import { idleClock } from '../../idle-clock.ts'
import { quietly } from '../../quietly.ts'
import { checkAcquire, checkPin, checkRelease, checkUnpin } from './check-requests.ts'
import type {
  AcquireOptions,
  AcquireOutcome,
  AcquireRequest,
  LeaseStatus,
  Leasing,
  PinOutcome,
  PinRequest,
  ReleaseOutcome,
  ReleaseRequest,
} from './leasing.ts'
import { RemoteLeaseTable, type RemoteLeaseTableOptions } from './remote-lease-table.ts'
import { serveTable } from './serve-table.ts'
import { leaseSnapshot, statusOf } from './status.ts'
import { tellHook } from './tell-hook.ts'

export interface LeaseTableOptions {
  /** How long a lease lasts unless it says otherwise; default 300 000. */
  readonly defaultTtlMs?: number
  /** Default the system's. */
  readonly clock?: Clock
  /** Watches the table's machine: an XState inspection observer or function. */
  readonly inspect?: Inspect
  /** Told of an `onWait` that threw; default nobody. */
  readonly onWarn?: (message: string) => void
}

type Unstamped<Message> = Message extends LeaseMessage ? Omit<Message, 'nowMs'> : never
type AnswerOf<Kind extends LeaseAnswer['kind']> = Extract<LeaseAnswer, { kind: Kind }>

interface OpenRequest {
  readonly settle: (answer: LeaseAnswer) => void
  readonly onWait: AcquireOptions['onWait']
}

/**
 * Who holds which path: one table for all the agents of a workspace. Advisory, in memory, and bounded: every lease expires, every
 * wait ends.
 *
 * ```ts
 * const table = new LeaseTable()
 * const outcome = await table.acquire({ holder: 'agent-1', paths: ['/srv/work/a.ts'], waitMs: 90_000 })
 * if (outcome.kind === 'granted') await table.release({ holder: 'agent-1' })
 * ```
 */
export class LeaseTable implements Leasing {
  readonly defaultTtlMs: number
  readonly #clock: Clock
  readonly #warn: (message: string) => void
  readonly #actor
  readonly #open = new Map<string, OpenRequest>()
  #requests = 0
  #alarm: unknown

  /** @throws ConfigError */
  constructor(options: LeaseTableOptions = {}) {
    checkOptions(options, checks)
    const { defaultTtlMs = 300_000, clock = systemClock, inspect } = options
    this.defaultTtlMs = defaultTtlMs
    this.#clock = clock
    this.#warn = quietly(options.onWarn)
    this.#actor = createActor(leaseTableMachine, { input: { defaultTtlMs }, inspect })
    this.#actor.on('answer', ({ answer }) => this.#answered(answer))
    this.#actor.start()
  }

  /** The table behind a port, from any thread. Rejects with a TransportClosedError when nobody is there. */
  static connect(port: MessagePort, options: RemoteLeaseTableOptions = {}): Promise<RemoteLeaseTable> {
    return RemoteLeaseTable.connect(port, options)
  }

  /**
   * A way to this table for another thread: transfer the port, and `LeaseTable.connect` it there. When it closes, or its thread ends,
   * whatever was acquired or waited for through it is given back.
   */
  port(): MessagePort {
    const { port1, port2 } = new MessageChannel()
    serveTable(this, port1)
    return port2
  }

  async acquire(request: AcquireRequest, options: AcquireOptions = {}): Promise<AcquireOutcome> {
    checkAcquire(request, options)
    const { signal, onWait } = options
    if (signal?.aborted) return { kind: 'withdrawn' }
    const name = this.#name()
    const cancel = () => this.#send({ type: 'CANCEL_WAIT', request: name })
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      const message = { ...request, type: 'ACQUIRE', request: name } as const
      const answer = await this.#ask(message, ['granted', 'refused', 'withdrawn'], onWait)
      if (answer.kind === 'refused') return { kind: 'refused', refusal: answer.refusal }
      if (answer.kind === 'withdrawn') return { kind: 'withdrawn' }
      const nowMs = this.#clock.now()
      return { kind: 'granted', leases: answer.leases.map((lease) => leaseSnapshot(lease, nowMs)) }
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  async release(request: ReleaseRequest): Promise<ReleaseOutcome> {
    checkRelease(request)
    const message = { ...request, type: 'RELEASE', request: this.#name() } as const
    const { released, notHeld } = await this.#ask(message, ['released'])
    return { released, notHeld }
  }

  async releaseHolder(holder: string): Promise<readonly string[]> {
    checkRelease({ holder })
    const message = { type: 'RELEASE_HOLDER', request: this.#name(), holder } as const
    return (await this.#ask(message, ['released'])).released
  }

  async releaseAll(): Promise<readonly string[]> {
    const message = { type: 'RELEASE_ALL', request: this.#name() } as const
    return (await this.#ask(message, ['released'])).released
  }

  async pin(request: PinRequest): Promise<PinOutcome> {
    checkPin(request)
    const message = { ...request, type: 'PIN', request: this.#name() } as const
    const answer = await this.#ask(message, ['pinned', 'unpinnable'])
    return answer.kind === 'pinned'
      ? { kind: 'pinned', generations: answer.generations }
      : { kind: 'refused', refusal: answer.refusal }
  }

  async unpin(generations: readonly number[]): Promise<void> {
    checkUnpin(generations)
    this.#send({ type: 'UNPIN', generations })
  }

  async status(): Promise<LeaseStatus> {
    this.#send({ type: 'TICK' })
    return statusOf(this.#actor.getSnapshot(), this.#clock.now())
  }

  #name(): string {
    this.#requests += 1
    return `request-${this.#requests}`
  }

  #ask<Kind extends LeaseAnswer['kind']>(
    message: Extract<Unstamped<LeaseMessage>, { request: string }>,
    kinds: readonly Kind[],
    onWait?: AcquireOptions['onWait'],
  ): Promise<AnswerOf<Kind>> {
    return new Promise((resolve, reject) => {
      const settle = (answer: LeaseAnswer) =>
        isAmong(answer, kinds)
          ? resolve(answer)
          : reject(new InternalError(`The lease table answered ${message.type} with ${answer.kind}`))
      this.#open.set(message.request, { settle, onWait })
      this.#send(message)
    })
  }

  #send(message: Unstamped<LeaseMessage>): void {
    this.#actor.send({ ...message, nowMs: this.#clock.now() })
    this.#setAlarm()
  }

  #answered(answer: LeaseAnswer): void {
    const open = this.#open.get(answer.request)
    if (answer.kind === 'waiting') {
      tellHook('onWait', open?.onWait, answer.conflict, this.#warn)
      return
    }
    this.#open.delete(answer.request)
    open?.settle(answer)
  }

  /** What ends by itself ends at its time, without anybody having to ask. */
  #setAlarm(): void {
    this.#clock.clearTimeout(this.#alarm)
    const { context } = this.#actor.getSnapshot()
    const deadline = nextDeadline(context)
    if (deadline === Number.POSITIVE_INFINITY) return
    // A lease that will expire keeps no process alive.
    const clock = context.waiters.length === 0 ? idleClock(this.#clock) : this.#clock
    this.#alarm = clock.setTimeout(() => this.#send({ type: 'TICK' }), deadline - clock.now())
  }
}

const checks: { readonly [option in keyof Required<LeaseTableOptions>]: Check } = {
  defaultTtlMs: (value) => (value === 0 ? 'must be above 0' : milliseconds(value)),
  clock: object,
  inspect: (value) => (typeof value === 'function' ? undefined : object(value)),
  onWarn: hook,
}

function isAmong<Kind extends LeaseAnswer['kind']>(
  answer: LeaseAnswer,
  kinds: readonly Kind[],
): answer is AnswerOf<Kind> {
  return kinds.some((kind) => kind === answer.kind)
}
