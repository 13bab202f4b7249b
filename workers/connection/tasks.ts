import type { RetryOutcome } from '../../machines/index.ts'
import { CancelledError, InvalidResultError } from '../../src/errors.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import { shapeResult } from '../../src/protocol/result-shapes.ts'
import { readTaskResult } from '../../src/protocol/results.ts'
import { pollIntervalOf, type TaskReading } from '../../src/protocol/tasks.ts'
import type { Uplink } from '../frames.ts'
import type { Call, CallRoundTrip } from './call.ts'
import type { Answer } from './correlator.ts'
import type { Exchanges } from './exchange.ts'
import type { Readiness } from './readiness.ts'

/** Calls that their server made tasks of: polled, answered when they ask, cancelled when the caller gives up. */
export class Tasks {
  readonly #exchanges: Exchanges
  readonly #readiness: Readiness
  readonly #up: (frame: Uplink) => void

  constructor(exchanges: Exchanges, readiness: Readiness, up: (frame: Uplink) => void) {
    this.#exchanges = exchanges
    this.#readiness = readiness
    this.#up = up
  }

  /** The call is a task from now on; says what its first state means. */
  adopt(call: Call, reading: TaskReading): RetryOutcome {
    const task = { taskId: reading.task.taskId, answered: new Set<string>() }
    call.roundTrip = { inputRequests: {}, requestState: undefined, inputs: '', answer: undefined, task }
    return this.#absorb(call, call.roundTrip, reading)
  }

  async poll(call: Call, signal: AbortSignal): Promise<RetryOutcome> {
    const { roundTrip } = call
    if (!roundTrip?.task) return { kind: 'complete' }
    const answer = await this.#ask('tasks/get', roundTrip.task.taskId, '', signal)
    if (answer.kind !== 'result') return settled(roundTrip, answer)
    const reading = readTaskResult(answer.result)
    if (reading.kind !== 'task') {
      const failure = new InvalidResultError({ method: 'tasks/get', reason: 'malformed task' })
      return settled(roundTrip, { kind: 'failure', failure })
    }
    call.deadline.renew()
    return this.#absorb(call, roundTrip, reading.reading)
  }

  /** Hands over what was collected. A refusal is the call's answer. */
  async update({ roundTrip }: Call, signal: AbortSignal): Promise<void> {
    if (!roundTrip?.task) return
    const answer = await this.#ask('tasks/update', roundTrip.task.taskId, roundTrip.inputs, signal)
    if (answer.kind === 'result') return
    roundTrip.answer = answer
    throw new Error('tasks/update was refused')
  }

  /** The server need not obey, and nobody waits for it. */
  cancel({ roundTrip }: Call): void {
    if (roundTrip?.task) void this.#ask('tasks/cancel', roundTrip.task.taskId, '', undefined)
  }

  #absorb(
    call: Call,
    roundTrip: CallRoundTrip,
    { task, inputRequests, result, error }: TaskReading,
  ): RetryOutcome {
    this.#up({ kind: 'task', id: call.frame.id, task })
    switch (task.status) {
      case 'working':
        return { kind: 'working', pollIntervalMs: pollIntervalOf(task) }
      case 'input_required': {
        const fresh = Object.entries(inputRequests).filter(([key]) => !roundTrip.task?.answered.has(key))
        if (fresh.length === 0) return { kind: 'working', pollIntervalMs: pollIntervalOf(task) }
        for (const [key] of fresh) roundTrip.task?.answered.add(key)
        roundTrip.inputRequests = Object.fromEntries(fresh)
        return { kind: 'inputRequired', asks: fresh.length }
      }
      case 'completed': {
        const shaped = shapeResult('tools/call', result ?? {})
        if ('complaint' in shaped) {
          const failure = new InvalidResultError({ method: 'tasks/get', reason: shaped.complaint })
          return settled(roundTrip, { kind: 'failure', failure })
        }
        return settled(roundTrip, { kind: 'result', result: shaped.result, size: Number.POSITIVE_INFINITY })
      }
      case 'failed': {
        const untold = { code: ErrorCode.InternalError, message: task.statusMessage ?? 'The task failed' }
        return settled(roundTrip, { kind: 'error', error: error ?? untold })
      }
      case 'cancelled':
        return settled(roundTrip, {
          kind: 'failure',
          failure: new CancelledError({ method: `task ${task.taskId}` }),
        })
    }
  }

  async #ask(
    method: string,
    taskId: string,
    members: string,
    signal: AbortSignal | undefined,
  ): Promise<Answer> {
    const params = `{"taskId":${JSON.stringify(taskId)}${members && `,${members}`}}`
    const { stamp } = await this.#readiness.whenReady()
    return this.#exchanges.answer(method, params, {
      meta: stamp,
      signal,
      address: { subject: taskId },
      tellCancelled: false,
    })
  }
}

function settled(roundTrip: CallRoundTrip, answer: Answer): RetryOutcome {
  roundTrip.answer = answer
  return { kind: 'complete' }
}
