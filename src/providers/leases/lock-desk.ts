import type { ReadyCall } from '../../bridge/read-call.ts'
import { failed, type ToolOutcome } from '../../bridge/tool-result.ts'
import { systemClock } from '../../clock.ts'
import { quietly } from '../../quietly.ts'
import { thrownMessage } from '../../thrown-message.ts'
import { pathToLock } from './call-places.ts'
import { grantedText, notLockedText, releasedText, withdrawnText } from './lease-texts.ts'
import type { LeasesOptions, LeaseWait } from './leases-options.ts'
import type { AcquireOutcome, AcquireRequest } from './leasing.ts'
import { lockTools, readAcquire, readRelease } from './lock-tools.ts'
import { tellHook } from './tell-hook.ts'

/** How often the host is asked whether a wait is still wanted. */
const lookEveryMs = 1_000

/** Answers `lock_acquire` and `lock_release`. */
export class LockDesk {
  readonly #options: LeasesOptions

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  /** A rejection is a table that is gone. */
  run({ name, arguments: args }: ReadyCall, signal: AbortSignal | undefined): Promise<ToolOutcome> {
    return name === lockTools.acquire ? this.#acquire(args, signal) : this.#release(args)
  }

  async #acquire(args: ReadyCall['arguments'], signal: AbortSignal | undefined): Promise<ToolOutcome> {
    const { table, agentId } = this.#options
    const reading = readAcquire(args)
    if ('complaint' in reading) return failed(`Nothing was locked: ${reading.complaint}.`)
    const paths = reading.paths.map((path) => pathToLock(path, this.#options))
    const waitMs = Math.min(reading.waitMs, table.defaultTtlMs)
    const outcome = await this.#wait({ ...reading, holder: agentId, paths, waitMs }, signal)
    switch (outcome.kind) {
      case 'granted':
        return { content: grantedText(outcome.leases), is_error: false }
      case 'refused':
        return failed(notLockedText(outcome.refusal, paths))
      case 'withdrawn':
        return failed(withdrawnText)
    }
  }

  async #release(args: ReadyCall['arguments']): Promise<ToolOutcome> {
    const { table, agentId } = this.#options
    const reading = readRelease(args)
    if ('complaint' in reading) return failed(`Nothing was released: ${reading.complaint}.`)
    const paths = reading.paths?.map((path) => pathToLock(path, this.#options))
    const outcome = await table.release({ holder: agentId, paths })
    return {
      content: releasedText(outcome),
      is_error: outcome.released.length === 0 && outcome.notHeld.length > 0,
    }
  }

  async #wait(request: AcquireRequest, signal: AbortSignal | undefined): Promise<AcquireOutcome> {
    const { table, agentId, onWaitBegin, onWaitEnd, cancelled, clock = systemClock } = this.#options
    const warn = eachOnce(quietly(this.#options.onWarn))
    const over = new AbortController()
    const giveUp = () => over.abort()
    if (signal?.aborted) giveUp()
    signal?.addEventListener('abort', giveUp, { once: true })
    let wait: LeaseWait | undefined
    let look: unknown
    const lookAgain = () => {
      if (isTrue(cancelled, warn)) giveUp()
      else look = clock.setTimeout(lookAgain, lookEveryMs)
    }
    try {
      return await table.acquire(request, {
        signal: over.signal,
        onWait: (conflict) => {
          wait = { agentId, paths: request.paths, conflict }
          tellHook('onWaitBegin', onWaitBegin, wait, warn)
          if (cancelled) lookAgain()
        },
      })
    } finally {
      clock.clearTimeout(look)
      signal?.removeEventListener('abort', giveUp)
      if (wait) tellHook('onWaitEnd', onWaitEnd, wait, warn)
    }
  }
}

/** What is asked every second would complain every second. */
function eachOnce(warn: (message: string) => void): (message: string) => void {
  const told = new Set<string>()
  return (message) => {
    if (told.has(message)) return
    told.add(message)
    warn(message)
  }
}

function isTrue(cancelled: (() => boolean) | undefined, warn: (message: string) => void): boolean {
  try {
    return cancelled?.() === true
  } catch (error) {
    warn(`cancelled threw: ${thrownMessage(error)}; the wait goes on`)
    return false
  }
}
