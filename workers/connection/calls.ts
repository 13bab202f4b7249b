import { flatten } from '../../src/bridge/flatten.ts'
import type { Clock } from '../../src/clock.ts'
import { toErrorData } from '../../src/error-data.ts'
import {
  CancelledError,
  InvalidResultError,
  type McpError,
  ProtocolError,
  TimeoutError,
  UnsupportedVersionError,
} from '../../src/errors.ts'
import { namedVersions } from '../../src/protocol/discovery.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { shapeResult } from '../../src/protocol/result-shapes.ts'
import { mayAskForInput, type ResultReading, readResult, readTaskResult } from '../../src/protocol/results.ts'
import { pollIntervalOf, type TaskReading } from '../../src/protocol/tasks.ts'
import type { Budget, CallFrame, CallId, Uplink } from '../frames.ts'
import { type Call, metaOf, paramsOf } from './call.ts'
import type { Address, Answer, Correlator } from './correlator.ts'
import { Deadline } from './deadline.ts'
import type { Mending } from './mending.ts'
import type { OutputSchemas } from './output-schemas.ts'
import type { Peer } from './peer.ts'
import type { ProgressTokens } from './progress-tokens.ts'
import type { Readiness } from './readiness.ts'
import type { ResultCache } from './result-cache.ts'
import type { Tasks } from './tasks.ts'
import type { ToolHeaders } from './tool-headers.ts'

export interface CallsParts {
  readonly clock: Clock
  readonly correlator: Correlator
  readonly cache: ResultCache
  readonly schemas: OutputSchemas
  /** Only where the wire carries headers. */
  readonly toolHeaders: ToolHeaders | undefined
  readonly tokens: ProgressTokens
  readonly defaults: Budget
  readonly maxResultChars: number | undefined
  readonly up: (frame: Uplink) => void
  readonly readiness: Readiness
  readonly tellCancelled: (requestId: number, reason: string) => void
  /** Undefined where tasks were not declared: then an answer must not be one. */
  readonly tasks: Tasks | undefined
  readonly onInputRequired: (call: Call, asks: number) => void
  readonly onTask: (call: Call, asks: number, pollIntervalMs: number) => void
  readonly onAbandoned: (call: Call) => void
  readonly mending: Mending
}

/** The host's calls: queued until the connection is ready, sent once, answered once. */
export class Calls {
  readonly #parts: CallsParts
  readonly #calls = new Map<CallId, Call>()
  #queue: Call[] = []

  constructor(parts: CallsParts) {
    this.#parts = parts
  }

  get(id: CallId): Call | undefined {
    return this.#calls.get(id)
  }

  begin(frame: CallFrame): void {
    const { tokens, clock, defaults } = this.#parts
    let token: Call['token']
    try {
      token = frame.progress === undefined ? undefined : tokens.take(frame.id, frame.progress)
    } catch (error) {
      this.#parts.up({ kind: 'failure', id: frame.id, error: toErrorData(error) })
      return
    }
    const timeoutMs = frame.budget?.timeoutMs ?? defaults.timeoutMs ?? 0
    const maxTotalTimeoutMs = frame.budget?.maxTotalTimeoutMs ?? defaults.maxTotalTimeoutMs ?? 0
    const deadline = new Deadline(clock, timeoutMs, maxTotalTimeoutMs, (option) =>
      this.#expire(frame.id, option),
    )
    const call: Call = { frame, deadline, token, requestId: undefined, refusals: 0, roundTrip: undefined }
    this.#calls.set(frame.id, call)
    const peer = this.#parts.readiness.peer
    if (peer) this.#send(call, peer)
    else this.#queue.push(call)
  }

  /** The connection is ready: everything that waited goes out, in order. */
  flush(peer: Peer): void {
    const waiting = this.#queue
    this.#queue = []
    for (const call of waiting) if (this.#calls.has(call.frame.id)) this.#send(call, peer)
  }

  /** The caller aborted. */
  cancel(id: CallId): void {
    const call = this.#calls.get(id)
    if (call) this.#giveUp(call, new CancelledError({ method: call.frame.method }))
  }

  /** Open questions of the calls are withdrawn with them. */
  failAll(failure: McpError): void {
    for (const call of [...this.#calls.values()]) {
      this.fail(call, failure)
      if (call.roundTrip) this.#parts.onAbandoned(call)
    }
  }

  /** Pauses the clocks of every call under way; returns what resumes them. For questions that name no call (legacy). */
  pauseAll(): () => void {
    const paused = [...this.#calls.values()]
    for (const { deadline } of paused) deadline.pause()
    return () => {
      for (const { frame, deadline } of paused) if (this.#calls.has(frame.id)) deadline.resume()
    }
  }

  /** The final answer of a call, whatever led to it. */
  settle(call: Call, answer: Answer): void {
    if (answer.kind === 'failure') return this.fail(call, answer.failure)
    if (answer.kind === 'error') return this.fail(call, this.#errorOf(answer.error))
    const { schemas } = this.#parts
    const { method, subject } = call.frame
    const schema = method === 'tools/call' ? schemas.schemaOf(subject) : undefined
    if (subject === undefined || !schema) return this.#deliver(call, answer)
    // The server has answered: its time is over.
    call.deadline.clear()
    // A schema nobody can walk, nested deeper than a stack, checks nothing.
    const checked = schemas.complaint(subject, schema, answer.result, answer.size).catch(() => undefined)
    void checked.then((reason) => {
      if (reason) this.fail(call, new InvalidResultError({ method, reason }))
      else this.#deliver(call, answer)
    })
  }

  /** Who answers a question that names no call: nobody is known unless every call under way says the same. */
  commonClaim(): string | undefined {
    const [claim, ...others] = new Set([...this.#calls.values()].map(({ frame }) => frame.claim))
    return others.length === 0 ? claim : undefined
  }

  fail(call: Call, failure: McpError): void {
    if (this.#end(call)) this.#parts.up({ kind: 'failure', id: call.frame.id, error: toErrorData(failure) })
  }

  /** Reads an answer to a request of the call: complete, asking for input, or no answer at all. */
  read(call: Call, result: JsonObject): ResultReading {
    const { method } = call.frame
    const reading = readResult(result, this.#parts.readiness.era)
    if (reading.kind === 'input_required' && !mayAskForInput(method)) {
      return { kind: 'invalid', reason: `${method} must not ask for input` }
    }
    const mayBeTask = this.#parts.tasks && (method === 'tools/call' || method === 'tasks/get')
    if (reading.kind === 'task' && !mayBeTask) {
      return {
        kind: 'invalid',
        reason: `${method} was answered with a task, which this client did not declare`,
      }
    }
    if (method === 'tasks/get' && reading.kind === 'complete') return readTaskResult(reading.result)
    if (reading.kind !== 'complete') return reading
    const shaped = shapeResult(method, reading.result)
    return 'result' in shaped
      ? { ...reading, result: shaped.result }
      : { kind: 'invalid', reason: shaped.complaint }
  }

  /** What of the call a wire may mirror into headers. */
  addressOf({ frame }: Call): Address {
    const { subject, method, params } = frame
    return {
      subject,
      params: method === 'tools/call' ? this.#parts.toolHeaders?.of(subject, params) : undefined,
    }
  }

  #send(call: Call, peer: Peer): void {
    const { frame } = call
    if (isCacheable(frame)) {
      if (frame.refresh) this.#parts.cache.drop(frame.method, (params) => params === frame.params)
      const kept = this.#parts.cache.get(frame.method, frame.params)
      if (kept) return this.settle(call, { kind: 'result', result: kept, size: Number.POSITIVE_INFINITY })
    }
    const { epoch } = this.#parts.cache
    call.requestId = this.#parts.correlator.request(
      frame.method,
      paramsOf(call),
      metaOf(call, peer),
      (answer) => this.#onAnswer(call, answer, epoch, peer),
      this.addressOf(call),
    )
    call.deadline.start()
  }

  #onAnswer(call: Call, answer: Answer, epoch: number, peer: Peer): void {
    call.requestId = undefined
    if (answer.kind === 'result') return this.#onResult(call, answer, epoch)
    const { mending } = this.#parts
    const mend = call.refusals === 0 ? mending.of(answer, peer, call.frame.method) : undefined
    if (mend) void this.#sendAgain(call, mend)
    else this.settle(call, answer)
  }

  #onResult(call: Call, answer: Extract<Answer, { kind: 'result' }>, epoch: number): void {
    this.#parts.readiness.prove()
    const reading = this.read(call, answer.result)
    const { method, params } = call.frame
    switch (reading.kind) {
      case 'complete':
        if (isCacheable(call.frame))
          this.#parts.cache.put(method, params, reading.result, reading.cache, epoch)
        return this.settle(call, { kind: 'result', result: reading.result, size: answer.size })
      case 'task':
        return this.#onTask(call, reading.reading)
      case 'invalid':
        return this.fail(call, new InvalidResultError({ method, reason: reading.reason }))
      case 'input_required': {
        const { inputRequests, requestState } = reading
        call.roundTrip = { inputRequests, requestState, inputs: '', answer: undefined, task: undefined }
        return this.#parts.onInputRequired(call, Object.keys(inputRequests).length)
      }
    }
  }

  #onTask(call: Call, reading: TaskReading): void {
    const outcome = this.#parts.tasks?.adopt(call, reading)
    const asks = outcome?.kind === 'inputRequired' ? outcome.asks : 0
    const answer = call.roundTrip?.answer
    if (answer) this.settle(call, answer)
    else this.#parts.onTask(call, asks, pollIntervalOf(reading.task))
  }

  async #sendAgain(call: Call, mend: () => Promise<void>): Promise<void> {
    call.refusals += 1
    await mend()
    if (!this.#calls.has(call.frame.id)) return
    const { peer } = this.#parts.readiness
    if (peer) this.#send(call, peer)
    else this.#queue.push(call)
  }

  #deliver(call: Call, { result, size }: Extract<Answer, { kind: 'result' }>): void {
    if (!this.#end(call)) return
    const { maxResultChars, up } = this.#parts
    const { id, as } = call.frame
    if (as !== 'text') return up({ kind: 'result', id, result, size })
    const outcome = flatten(result, maxResultChars)
    const structuredSize = 'structured_content' in outcome ? size : 0
    up({ kind: 'result', id, result: outcome, size: Math.max(outcome.content.length, structuredSize) })
  }

  #expire(id: CallId, option: 'timeoutMs' | 'maxTotalTimeoutMs'): void {
    const call = this.#calls.get(id)
    if (!call) return
    const timeoutMs = option === 'timeoutMs' ? call.deadline.timeoutMs : call.deadline.maxTotalTimeoutMs
    this.#giveUp(call, new TimeoutError({ method: call.frame.method, timeoutMs, option }))
  }

  #giveUp(call: Call, failure: McpError): void {
    const { correlator, tellCancelled, onAbandoned } = this.#parts
    const { requestId } = call
    if (requestId !== undefined && correlator.forget(requestId)) tellCancelled(requestId, failure.message)
    this.#parts.tasks?.cancel(call)
    const wasAsking = call.roundTrip !== undefined
    this.fail(call, failure)
    if (wasAsking) onAbandoned(call)
  }

  #errorOf(error: Extract<Answer, { kind: 'error' }>['error']): McpError {
    if (error.code !== ErrorCode.UnsupportedProtocolVersion) return new ProtocolError(error)
    const requested = [this.#parts.readiness.peer?.version ?? 'unknown']
    return new UnsupportedVersionError({ requested, supported: namedVersions(error.data) })
  }

  #end(call: Call): boolean {
    call.deadline.clear()
    if (call.token !== undefined) this.#parts.tokens.release(call.token)
    return this.#calls.delete(call.frame.id)
  }
}

/** A caller's own `_meta` may change the result, and is not part of the key. */
function isCacheable({ method, meta }: CallFrame): boolean {
  return method === 'resources/read' && meta === ''
}
