import type { RetryOutcome, RoundTripOutcome } from '../../machines/index.ts'
import { InputLoopExceededError, InvalidResultError, TransportClosedError } from '../../src/errors.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { type Call, type CallRoundTrip, metaOf, paramsOf, toolCallOf } from './call.ts'
import type { Calls } from './calls.ts'
import type { Answer, Correlator } from './correlator.ts'
import type { Mending } from './mending.ts'
import type { Peer } from './peer.ts'
import type { Questions } from './questions.ts'
import type { Tasks } from './tasks.ts'

/** What the round-trip machine's actors do: collect the inputs, retry the call, give it its answer. */
export class RoundTrips {
  readonly #calls: Calls
  readonly #correlator: Correlator
  readonly #mending: Mending
  readonly #questions: Questions
  readonly #tasks: Tasks | undefined
  readonly #tellCancelled: (requestId: number, reason: string) => void

  constructor(
    calls: Calls,
    correlator: Correlator,
    mending: Mending,
    questions: Questions,
    tasks: Tasks | undefined,
    tellCancelled: (requestId: number, reason: string) => void,
  ) {
    this.#calls = calls
    this.#correlator = correlator
    this.#mending = mending
    this.#questions = questions
    this.#tasks = tasks
    this.#tellCancelled = tellCancelled
  }

  /** Puts every question of the latest answer to the hooks, at once; the call's own time stands still meanwhile. */
  async collect(key: string, signal: AbortSignal): Promise<void> {
    const { call, roundTrip } = this.#find(key)
    call.deadline.pause()
    const { id, claim } = call.frame
    const origin = { call: id, claim, toolCall: toolCallOf(call) }
    const answers = await Promise.all(
      Object.entries(roundTrip.inputRequests).map(
        async ([name, request]) =>
          [name, await this.#questions.answer(request, { ...origin, signal })] as const,
      ),
    )
    call.deadline.resume()
    roundTrip.inputs = inputsText(answers, roundTrip.requestState)
  }

  /** Sends the call again under a fresh id, with what was collected. The answer stays here; only its kind goes to the machine. */
  async retry(key: string, signal: AbortSignal): Promise<RetryOutcome> {
    const { call, roundTrip } = this.#find(key)
    if (Object.keys(roundTrip.inputRequests).length === 0)
      roundTrip.inputs = inputsText([], roundTrip.requestState)
    const { method } = call.frame
    const answer = await this.#mending.ask(method, (peer) => this.#request(call, peer, signal))
    if (answer.kind !== 'result') {
      roundTrip.answer = answer
      return { kind: 'complete' }
    }
    const reading = this.#calls.read(call, answer.result)
    if (reading.kind === 'input_required') {
      roundTrip.inputRequests = reading.inputRequests
      roundTrip.requestState = reading.requestState
      return { kind: 'inputRequired', asks: Object.keys(reading.inputRequests).length }
    }
    if (reading.kind === 'task') return this.#tasks?.adopt(call, reading.reading) ?? { kind: 'complete' }
    roundTrip.answer =
      reading.kind === 'complete'
        ? { kind: 'result', result: reading.result, size: answer.size }
        : { kind: 'failure', failure: new InvalidResultError({ method, reason: reading.reason }) }
    return { kind: 'complete' }
  }

  async poll(key: string, signal: AbortSignal): Promise<RetryOutcome> {
    return (await this.#tasks?.poll(this.#find(key).call, signal)) ?? { kind: 'complete' }
  }

  async update(key: string, signal: AbortSignal): Promise<void> {
    await this.#tasks?.update(this.#find(key).call, signal)
  }

  /** The machine is done with a call: it gets its answer, if it still waits for one. */
  settle(key: string, outcome: RoundTripOutcome): void {
    const call = this.#calls.get(callIdOf(key))
    if (!call) return
    const { method } = call.frame
    if (outcome.kind === 'exceeded') this.#tasks?.cancel(call)
    if (outcome.kind === 'exceeded')
      return this.#calls.fail(call, new InputLoopExceededError({ method, rounds: outcome.rounds }))
    const abandoned = new TransportClosedError(`${method} was abandoned while it waited for input`)
    this.#calls.settle(call, call.roundTrip?.answer ?? { kind: 'failure', failure: abandoned })
  }

  #request(call: Call, peer: Peer, signal: AbortSignal): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const requestId = this.#correlator.request(
        call.frame.method,
        paramsOf(call),
        metaOf(call, peer),
        (answer) => {
          call.requestId = undefined
          resolve(answer)
        },
        this.#calls.addressOf(call),
      )
      call.requestId = requestId
      signal.addEventListener(
        'abort',
        () => {
          if (this.#correlator.forget(requestId)) this.#tellCancelled(requestId, 'the call was abandoned')
          reject(signal.reason)
        },
        { once: true },
      )
    })
  }

  #find(key: string): { call: Call; roundTrip: CallRoundTrip } {
    const call = this.#calls.get(callIdOf(key))
    if (!call?.roundTrip) throw new TransportClosedError(`Call ${key} has ended`)
    return { call, roundTrip: call.roundTrip }
  }
}

/** The machine's name for a call's round trip. */
export function roundTripKey(call: Call): string {
  return `call-${call.frame.id}`
}

function callIdOf(key: string): number {
  return Number(key.slice('call-'.length))
}

function inputsText(
  answers: readonly (readonly [string, JsonObject | undefined])[],
  requestState: string | undefined,
): string {
  const given = answers.filter(([, body]) => body !== undefined)
  const inputs = {
    ...(answers.length > 0 && { inputResponses: Object.fromEntries(given) }),
    ...(requestState !== undefined && { requestState }),
  }
  return JSON.stringify(inputs).slice(1, -1)
}
