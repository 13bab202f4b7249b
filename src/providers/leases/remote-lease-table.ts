import type { MessagePort } from 'node:worker_threads'
import { checkOptions, hook } from '../../check-options.ts'
import { fromErrorData } from '../../error-data.ts'
import { TransportClosedError } from '../../errors.ts'
import { quietly } from '../../quietly.ts'
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
import {
  isReply,
  type TableQuestion,
  type TableQuestions,
  type TableReply,
  type TableRequest,
} from './table-frames.ts'
import { tellHook } from './tell-hook.ts'

export interface RemoteLeaseTableOptions {
  /** Told of an `onWait` that threw; default nobody. */
  readonly onWarn?: (message: string) => void
}

interface Open {
  readonly settle: (answer: unknown) => void
  readonly fail: (error: Error) => void
  readonly onWait: AcquireOptions['onWait']
}

/** A table of another thread. Close it, or let its thread end, and what was acquired through it is free. */
export class RemoteLeaseTable implements Leasing {
  readonly defaultTtlMs: number
  readonly #port: MessagePort
  readonly #warn: (message: string) => void
  readonly #open = new Map<number, Open>()
  #questions = 0
  #isClosed = false

  static connect(port: MessagePort, options: RemoteLeaseTableOptions): Promise<RemoteLeaseTable> {
    return new Promise((resolve, reject) => {
      checkOptions(options, { onWarn: hook })
      const gone = () => reject(tableGone())
      port.once('close', gone)
      port.once('message', (frame: unknown) => {
        port.off('close', gone)
        const reply = isReply(frame) ? frame : undefined
        if (reply?.kind === 'here') resolve(new RemoteLeaseTable(port, reply.defaultTtlMs, options))
        else reject(tableGone())
      })
    })
  }

  private constructor(port: MessagePort, defaultTtlMs: number, { onWarn }: RemoteLeaseTableOptions) {
    this.defaultTtlMs = defaultTtlMs
    this.#warn = quietly(onWarn)
    this.#port = port
    port.on('message', (frame: unknown) => isReply(frame) && this.#replied(frame))
    port.on('close', () => this.#end())
    port.unref()
  }

  async acquire(request: AcquireRequest, { signal, onWait }: AcquireOptions = {}): Promise<AcquireOutcome> {
    if (signal?.aborted) return { kind: 'withdrawn' }
    const id = this.#questions + 1
    const cancel = () => this.#post({ kind: 'cancel', id })
    signal?.addEventListener('abort', cancel, { once: true })
    try {
      return await this.#ask('acquire', request, onWait)
    } finally {
      signal?.removeEventListener('abort', cancel)
    }
  }

  release(request: ReleaseRequest): Promise<ReleaseOutcome> {
    return this.#ask('release', request)
  }

  releaseHolder(holder: string): Promise<readonly string[]> {
    return this.#ask('releaseHolder', holder)
  }

  releaseAll(): Promise<readonly string[]> {
    return this.#ask('releaseAll', undefined)
  }

  pin(request: PinRequest): Promise<PinOutcome> {
    return this.#ask('pin', request)
  }

  unpin(generations: readonly number[]): Promise<void> {
    return this.#ask('unpin', generations)
  }

  status(): Promise<LeaseStatus> {
    return this.#ask('status', undefined)
  }

  /** Gives back what was acquired through it. What is still asked rejects with a TransportClosedError. */
  close(): void {
    this.#port.close()
    this.#end()
  }

  #ask<Question extends TableQuestion>(
    kind: Question,
    takes: TableQuestions[Question]['takes'],
    onWait?: AcquireOptions['onWait'],
  ): Promise<TableQuestions[Question]['answer']> {
    if (this.#isClosed) return Promise.reject(tableGone())
    this.#questions += 1
    const id = this.#questions
    return new Promise((resolve, fail) => {
      // The other end is of this build: its answers fit its questions.
      const settle = (answer: unknown) => resolve(answer as TableQuestions[Question]['answer'])
      this.#post({ kind, id, takes } as TableRequest)
      this.#open.set(id, { settle, fail, onWait })
      this.#port.ref()
    })
  }

  #post(request: TableRequest): void {
    this.#port.postMessage(request)
  }

  #replied(reply: TableReply): void {
    if (reply.kind === 'here') return
    const open = this.#open.get(reply.id)
    if (reply.kind === 'waiting') return tellHook('onWait', open?.onWait, reply.conflict, this.#warn)
    this.#open.delete(reply.id)
    if (this.#open.size === 0) this.#port.unref()
    if (reply.kind === 'answer') open?.settle(reply.answer)
    else open?.fail(fromErrorData(reply.error))
  }

  #end(): void {
    this.#isClosed = true
    for (const { fail } of this.#open.values()) fail(tableGone())
    this.#open.clear()
  }
}

function tableGone(): TransportClosedError {
  return new TransportClosedError('The lease table is gone, or the port to it was closed')
}
