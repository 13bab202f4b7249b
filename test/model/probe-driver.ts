import { createActor, fromPromise, type SnapshotFrom } from 'xstate'
import {
  type ConnectionInput,
  connectionMachine,
  type HandshakeAnswer,
  type ProbeAnswer,
} from '../../machines/index.ts'
import { toErrorData } from '../../src/error-data.ts'
import { HttpError, ServerGoneError, SpawnFailedError } from '../../src/errors.ts'
import { TestClock } from '../../src/testing/index.ts'
import { type Deferred, deferred, next } from './deferred.ts'
import { handshakeAnswers, ours, probeAnswers } from './probe-answers.ts'
import type { Expectation, SpecificationEvent } from './probe-expectation.ts'

export const budgets = { connectTimeoutMs: 300, probeTimeoutMs: 50, requestTimeoutMs: 600 }

const gone = new ServerGoneError({ command: 'server', exitCode: 1, signal: null, stderrTail: [] })
const overloaded = new HttpError({ status: 503, reason: 'overloaded' })
const eras = {
  'open, auto': 'auto',
  'open, modern only': 'modern',
  'open, legacy only': 'legacy',
  'open, legacy only, over HTTP': 'legacy',
  'open, auto, over HTTP': 'auto',
} as const

/** The real connection machine in a test's hands: every actor waits for the test, and so does time. */
export class ProbeDriver {
  readonly clock = new TestClock()
  readonly #opens = deferred<void>()
  readonly #discovers: Deferred<ProbeAnswer>[] = []
  readonly #initializes: Deferred<HandshakeAnswer>[] = []
  readonly #olderWire = deferred<void>()
  #actor: ReturnType<ProbeDriver['create']> | undefined

  /** What a server or host does, done to the machine; resolves when the machine has made up its mind. */
  async act({ type }: SpecificationEvent): Promise<void> {
    this.#do(type)
    await this.clock.settle()
  }

  get snapshot(): SnapshotFrom<typeof connectionMachine> {
    if (!this.#actor) throw new Error('Not opened')
    return this.#actor.getSnapshot()
  }

  stop(): void {
    this.#actor?.stop()
  }

  create(era: ConnectionInput['era'], hasOlderWire: boolean) {
    const machine = connectionMachine.provide({
      actors: {
        openTransport: fromPromise(() => this.#opens.promise),
        closeTransport: fromPromise(() => new Promise<void>(() => {})),
        discover: fromPromise(() => next(this.#discovers)),
        initialize: fromPromise(() => next(this.#initializes)),
        fallBack: fromPromise(() => this.#olderWire.promise),
      },
    })
    const input = { protocolVersions: ours, era, ...budgets, maxInputRounds: 8, hasOlderWire }
    return createActor(machine, { input, clock: this.clock })
  }

  #do(type: SpecificationEvent['type']): void {
    switch (type) {
      case 'open, auto':
      case 'open, modern only':
      case 'open, legacy only':
      case 'open, legacy only, over HTTP':
      case 'open, auto, over HTTP':
        this.#actor = this.create(eras[type], type.endsWith('over HTTP')).start()
        return this.#actor.send({ type: 'open' })
      case 'wire opens':
        return this.#opens.resolve()
      case 'wire refuses to open':
        return this.#opens.reject(new SpawnFailedError({ command: 'server', reason: 'no such file' }))
      case 'silence':
        return this.#passBudget()
      case 'late probe answer':
        return this.#answerProbe('names first')
      case 'exchange fails':
        return (this.snapshot.value === 'probing' ? this.#discovers : this.#initializes)
          .at(-1)
          ?.reject(overloaded)
      case 'older wire opens':
        return this.#olderWire.resolve()
      case 'older wire is not offered':
        return this.#olderWire.reject(overloaded)
      case 'server dies':
        return this.#actor?.send({ type: 'wire.closed', failure: toErrorData(gone) })
      case 'host closes':
        return this.#actor?.send({ type: 'close' })
      default:
        if (isProbeAnswer(type)) this.#answerProbe(type)
        else this.#initializes.at(-1)?.resolve({ outcome: handshakeAnswers[type], afterMs: 1 })
    }
  }

  /** To the millisecond: one less changes nothing. */
  #passBudget(): void {
    const budgetMs = this.clock.nextInMs ?? Number.NaN
    const { value } = this.snapshot
    this.clock.advance(budgetMs - 1)
    if (this.snapshot.value !== value)
      throw new Error(`${JSON.stringify(value)} was left before its budget was over`)
    this.clock.advance(1)
  }

  #answerProbe(name: keyof typeof probeAnswers): void {
    this.#discovers.at(-1)?.resolve({ outcome: probeAnswers[name], afterMs: 1 })
  }
}

/** A part of what `known` says. */
export type Expected = Partial<Expectation> & { readonly state: string }

/** What the machine knows, in the specification's terms. */
export function known({ value, context }: SnapshotFrom<typeof connectionMachine>): Expectation & Expected {
  const { options, wire, asked, listed, era, version, failure } = context
  const { supported, method } = failure?.fields ?? {}
  return {
    state: outermost(value),
    pinned: options.era,
    hasOlderWire: options.hasOlderWire === true,
    wire,
    asked,
    listed,
    era,
    version,
    failure: failure && {
      name: failure.name,
      ...(failure.name === 'UnsupportedVersionError' && { supported: supported as readonly string[] }),
      ...(failure.name === 'TimeoutError' && { method: String(method) }),
    },
  }
}

export function outermost(value: string | object): string {
  return typeof value === 'string' ? value : Object.keys(value).join()
}

function isProbeAnswer(type: string): type is keyof typeof probeAnswers {
  return Object.hasOwn(probeAnswers, type)
}
