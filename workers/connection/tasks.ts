import type { RetryOutcome } from '../../machines/index.ts'
import { CancelledError, InvalidResultError } from '../../src/errors.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { type ShapedResult, shapeResult } from '../../src/protocol/result-shapes.ts'
import { readResult, readTaskResult } from '../../src/protocol/results.ts'
import { pollIntervalOf, type TaskReading } from '../../src/protocol/tasks.ts'
import type { Budget, Uplink } from '../frames.ts'
import type { Call, CallRoundTrip } from './call.ts'
import type { Answer } from './correlator.ts'
import type { Exchanges } from './exchange.ts'

/** Calls that their server made tasks of: polled, answered when they ask, cancelled when the caller gives up. */
export class Tasks {
  readonly #exchanges: Exchanges
  readonly #budget: Budget
  readonly #up: (frame: Uplink) => void

  constructor(exchanges: Exchanges, budget: Budget, up: (frame: Uplink) => void) {
    this.#exchanges = exchanges
    this.#budget = budget
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

  /** Hands over what was collected. A refusal, also ours, is the call's answer: the task would ask for ever. */
  async update(call: Call, signal: AbortSignal): Promise<void> {
    const { roundTrip } = call
    if (!roundTrip?.task) return
    const { taskId } = roundTrip.task
    if (roundTrip.inputs === nothingToSay) {
      this.cancel(call)
      roundTrip.answer = {
        kind: 'failure',
        failure: new CancelledError({ method: `task ${taskId}`, by: 'host' }),
      }
      throw new Error('what the task asks has no answer')
    }
    const answer = await this.#ask('tasks/update', taskId, roundTrip.inputs, signal)
    if (answer.kind === 'result') return
    roundTrip.answer = answer
    throw new Error('tasks/update was refused')
  }

  /** The server need not obey, and nobody waits for it. */
  cancel({ roundTrip }: Call): void {
    if (roundTrip?.task) this.#ask('tasks/cancel', roundTrip.task.taskId, '', undefined).catch(() => {})
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
        return { kind: 'inputRequired', asks: fresh.length, pollIntervalMs: pollIntervalOf(task) }
      }
      case 'completed': {
        const shaped = readOutcome(result ?? {})
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
          failure: new CancelledError({ method: `task ${task.taskId}`, by: 'server' }),
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
    const { timeoutMs } = this.#budget
    return this.#exchanges.ask(method, params, {
      signal,
      budget: { timeoutMs },
      address: { subject: taskId },
      tellCancelled: false,
    })
  }
}

/** Of the shape that the call itself would have been answered with. */
function readOutcome(result: JsonObject): ShapedResult {
  const reading = readResult(result, 'modern')
  return reading.kind === 'complete'
    ? shapeResult('tools/call', reading.result)
    : { complaint: 'the result of the task is none of a call' }
}

/** No question was answered: there are shapes to decline some, not all. */
const nothingToSay = '"inputResponses":{}'

function settled(roundTrip: CallRoundTrip, answer: Answer): RetryOutcome {
  roundTrip.answer = answer
  return { kind: 'complete' }
}
