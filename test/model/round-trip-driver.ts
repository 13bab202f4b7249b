import { type ActorRefFrom, assign, createActor, fromPromise, setup } from 'xstate'
import { type RetryOutcome, type RoundTripOutcome, roundTripMachine } from '../../machines/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import { type Deferred, next } from './deferred.ts'
import {
  maxInputRounds,
  type RoundTripExpectation,
  type RoundTripSpecificationEvent,
} from './round-trip-specification.ts'

const pollIntervalMs = 250

/** The real round trip as a child of a connection that only listens. */
export class RoundTripDriver {
  readonly clock = new TestClock()
  readonly #collects: Deferred<void>[] = []
  readonly #retries: Deferred<RetryOutcome>[] = []
  readonly #polls: Deferred<RetryOutcome>[] = []
  readonly #updates: Deferred<void>[] = []
  #connection: ReturnType<RoundTripDriver['create']> | undefined
  #child: ActorRefFrom<typeof roundTripMachine> | undefined

  async act({ type }: RoundTripSpecificationEvent): Promise<void> {
    this.#do(type)
    await this.clock.settle()
  }

  get known(): RoundTripExpectation & { readonly state: string } {
    const snapshot = this.#child?.getSnapshot()
    const { outcomes = [] } = this.#connection?.getSnapshot().context ?? {}
    if (outcomes.length > 1) throw new Error('The connection was told twice')
    return {
      state: snapshot?.status === 'done' ? 'over' : String(snapshot?.value),
      rounds: snapshot?.context.rounds ?? Number.NaN,
      outcome: outcomes[0],
    }
  }

  create(asks: number, pollIntervalMs: number | undefined) {
    const roundTrip = roundTripMachine.provide({
      actors: {
        collectInputs: fromPromise(() => next(this.#collects)),
        retry: fromPromise(() => next(this.#retries)),
        pollTask: fromPromise(() => next(this.#polls)),
        updateTask: fromPromise(() => next(this.#updates)),
      },
    })
    const connection = setup({
      types: {} as {
        context: { outcomes: RoundTripOutcome[] }
        events: { type: 'roundTrip.settled'; outcome: RoundTripOutcome }
      },
      actors: { roundTrip },
    }).createMachine({
      context: { outcomes: [] },
      invoke: {
        src: 'roundTrip',
        id: 'child',
        input: { call: 'call-1', asks, maxInputRounds, pollIntervalMs },
      },
      on: {
        'roundTrip.settled': {
          actions: assign({ outcomes: ({ context, event }) => [...context.outcomes, event.outcome] }),
        },
      },
    })
    return createActor(connection, { clock: this.clock })
  }

  #do(type: RoundTripSpecificationEvent['type']): void {
    switch (type) {
      case 'begins with questions':
        return this.#begin(1)
      case 'begins with state alone':
        return this.#begin(0)
      case 'begins as a task':
        return this.#begin(0, pollIntervalMs)
      case 'begins as a task that asks':
        return this.#begin(1, pollIntervalMs)
      case 'retry becomes a task':
        return this.#retries.at(-1)?.resolve({ kind: 'working', pollIntervalMs })
      case 'poll interval passes':
        return this.#passPollInterval()
      case 'poll is answered':
        return this.#polls.at(-1)?.resolve({ kind: 'complete' })
      case 'poll shows the task at work':
        return this.#polls.at(-1)?.resolve({ kind: 'working', pollIntervalMs })
      case 'poll shows a question':
        return this.#polls.at(-1)?.resolve({ kind: 'inputRequired', asks: 1 })
      case 'poll fails':
        return this.#polls.at(-1)?.reject(new Error('the wire is gone'))
      case 'update is taken':
        return this.#updates.at(-1)?.resolve()
      case 'update is refused':
        return this.#updates.at(-1)?.reject(new Error('refused'))
      case 'inputs are collected':
        return this.#collects.at(-1)?.resolve()
      case 'collecting fails':
        return this.#collects.at(-1)?.reject(new Error('the call has ended'))
      case 'backoff passes':
        return this.#passBackoff()
      case 'retry is answered':
        return this.#retries.at(-1)?.resolve({ kind: 'complete' })
      case 'retry asks again':
        return this.#retries.at(-1)?.resolve({ kind: 'inputRequired', asks: 2 })
      case 'retry gives state alone':
        return this.#retries.at(-1)?.resolve({ kind: 'inputRequired', asks: 0 })
      case 'retry fails':
        return this.#retries.at(-1)?.reject(new Error('the wire is gone'))
      case 'host gives up':
        return this.#child?.send({ type: 'abandon' })
    }
  }

  #begin(asks: number, interval?: number): void {
    this.#connection = this.create(asks, interval).start()
    this.#child = this.#connection.getSnapshot().children.child as ActorRefFrom<typeof roundTripMachine>
  }

  #passPollInterval(): void {
    this.clock.advance(pollIntervalMs - 1)
    if (this.known.state !== 'waiting') throw new Error(`${pollIntervalMs} ms between polls were not kept`)
    this.clock.advance(1)
  }

  /** It doubles with every round, and is kept to the millisecond. */
  #passBackoff(): void {
    const backoffMs = 100 * 2 ** this.known.rounds
    this.clock.advance(backoffMs - 1)
    if (this.known.state !== 'backingOff') throw new Error(`${backoffMs} ms of backoff were not kept`)
    this.clock.advance(1)
  }
}
