import { type Actor, createActor, fromPromise, type NonReducibleUnknown } from 'xstate'
import {
  connectionMachine,
  type HandshakeAnswer,
  type ProbeAnswer,
  type RetryOutcome,
  type RoundTripOutcome,
  roundTripMachine,
} from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import { type Deferred, deferred } from './deferred.ts'
import { type LifeEvent, type LifeSnapshot, lifeInput, pollIntervalMs } from './life-model.ts'

type Waiting = Deferred<unknown> & { readonly signal: AbortSignal }

/** The real machine, with every actor in the test's hands. */
export class LifeDriver {
  readonly clock = new TestClock()
  /** Everything a call was told, in order. */
  readonly settled: { readonly call: string; readonly outcome: RoundTripOutcome }[] = []
  readonly #actor: Actor<typeof connectionMachine>
  readonly #waiting = new Map<string, Waiting>()

  constructor() {
    const machine = connectionMachine.provide({
      actors: {
        openTransport: this.#waits<void>(() => 'opening'),
        discover: this.#waits<ProbeAnswer, { version: string }>(() => 'probing'),
        initialize: this.#waits<HandshakeAnswer>(() => 'legacyHandshake'),
        closeTransport: this.#waits<void>(() => 'closing'),
        roundTrip: roundTripMachine.provide({
          actors: {
            collectInputs: this.#waits<void, { call: string }>(({ call }) => `${call} collects`),
            pollTask: this.#waits<RetryOutcome, { call: string }>(({ call }) => `${call} is polled`),
            retry: this.#waits<RetryOutcome, { call: string }>(({ call }) => `${call} retries`),
          },
        }),
      },
      actions: { settleCall: (_, { call, outcome }) => this.settled.push({ call, outcome }) },
    })
    this.#actor = createActor(machine, { input: lifeInput, clock: this.clock }).start()
  }

  get snapshot(): LifeSnapshot {
    return this.#actor.getSnapshot()
  }

  /** The actors that neither came back nor were stopped. */
  get underWay(): readonly string[] {
    return [...this.#waiting].filter(([, { signal }]) => !signal.aborted).map(([name]) => name)
  }

  /** Makes an event of the model happen, through whatever causes it in life. */
  async act(event: LifeEvent): Promise<void> {
    if (event.type === 'roundTrip.settled') await this.#endRoundTrip(event)
    else if (event.type === 'xstate.after.closeTimeout.connection.closing') this.clock.advance(30_000)
    else if (isOfActor(event)) this.#endActor(event)
    else this.#actor.send(event)
    await this.clock.settle()
  }

  async #endRoundTrip({ call, beganAs, outcome }: Settled): Promise<void> {
    if (outcome.kind === 'abandoned') return this.#actor.send({ type: 'call.abandoned', call })
    if (beganAs === 'task') {
      await this.clock.advanceAsync(pollIntervalMs)
      return this.#take(`${call} is polled`).resolve({ kind: 'complete' })
    }
    this.#take(`${call} collects`).resolve(undefined)
    await this.clock.settle()
    this.#take(`${call} retries`).resolve(
      outcome.kind === 'answered' ? { kind: 'complete' } : { kind: 'inputRequired', asks: 1 },
    )
  }

  #endActor({ type, output }: { readonly type: string; readonly output?: unknown }): void {
    const actor = this.#take(type.slice(type.lastIndexOf('.') + 1))
    if (type.startsWith('xstate.done')) actor.resolve(output)
    else actor.reject(new Error('broken'))
  }

  #take(name: string): Waiting {
    const actor = this.#waiting.get(name)
    if (!actor) throw new Error(`${name} is not under way`)
    this.#waiting.delete(name)
    return actor
  }

  #waits<Output, Input = NonReducibleUnknown>(nameOf: (input: Input) => string) {
    return fromPromise<Output, Input>(({ input, signal }) => {
      const result = deferred<unknown>()
      this.#waiting.set(nameOf(input), { ...result, signal })
      return result.promise as Promise<Output>
    })
  }
}

type Settled = Extract<LifeEvent, { readonly type: 'roundTrip.settled' }>
type OfActor = Extract<LifeEvent, { readonly output?: unknown }>

function isOfActor(event: LifeEvent): event is OfActor {
  return event.type.startsWith('xstate.')
}
