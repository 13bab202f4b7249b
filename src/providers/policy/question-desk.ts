import { AsyncLocalStorage } from 'node:async_hooks'
import { createActor, fromCallback, fromPromise } from 'xstate'
import {
  type PolicyContext,
  type PolicyEvent,
  policyMachine,
  type QuestionOutcome,
  type QuestionSubject,
  questionMachine,
} from '../../../machines/index.ts'
import type { CatalogueEvent, ChildEvent, Provider } from '../../bridge/provider.ts'
import type { Clock } from '../../clock.ts'

/** What the machine cannot know of a question. */
export interface Question {
  readonly subject: Omit<QuestionSubject, 'question'>
  /** Whether the grants there are by now decide it. */
  readonly isDecided: () => boolean
  /** Puts it to a person. A rejection counts as an answer. */
  readonly put: (signal: AbortSignal) => Promise<void>
}

interface OpenQuestion extends Question {
  readonly settle: (outcome: QuestionOutcome) => void
}

/** Puts one question at a time, in the order they come. */
export class QuestionDesk {
  readonly #open = new Map<string, OpenQuestion>()
  readonly #actor
  #asked = 0

  constructor(options: {
    readonly provider: Provider
    readonly clock: Clock
    readonly askTimeoutMs: number | undefined
  }) {
    const question = questionMachine.provide({
      actors: {
        putQuestion: fromPromise(
          ({ input, signal }) => this.#of(input.question)?.put(signal) ?? Promise.resolve(),
        ),
      },
      guards: { grantDecides: ({ context }) => this.#of(context.question)?.isDecided() ?? false },
    })
    const machine = policyMachine.provide({
      actors: {
        question,
        watchChildren: fromCallback<PolicyEvent>(({ sendBack }) => watch(options.provider, sendBack)),
      },
      actions: {
        tellAsker: (_, { question, outcome }) => {
          const open = this.#open.get(question)
          this.#open.delete(question)
          open?.settle(outcome)
        },
      },
    })
    const { clock, askTimeoutMs } = options
    this.#actor = createActor(machine, { clock, input: { askTimeoutMs } }).start()
  }

  /** Settles when it is over, however it ended. `signal`: its answer is no longer wanted. */
  ask(question: Question, signal?: AbortSignal): Promise<QuestionOutcome> {
    if (signal?.aborted) return Promise.resolve('withdrawn')
    this.#asked += 1
    const name = `question-${this.#asked}`
    // Its turn comes while another question is answered: it must not be put as part of that one.
    const inOwnContext = AsyncLocalStorage.snapshot()
    const drop = () => this.#actor.send({ type: 'question.dropped', question: name })
    return new Promise<QuestionOutcome>((settle) => {
      this.#open.set(name, { ...question, put: (signal) => inOwnContext(() => question.put(signal)), settle })
      signal?.addEventListener('abort', drop, { once: true })
      this.#actor.send({ type: 'ask', subject: { ...question.subject, question: name } })
    }).finally(() => signal?.removeEventListener('abort', drop))
  }

  withdrawBatch(batch: string): void {
    this.#actor.send({ type: 'batch.withdrawn', batch })
  }

  /** What is being asked, and what waits. */
  get snapshot(): { readonly asking: 'idle' | 'prompting'; readonly questions: PolicyContext['questions'] } {
    const { value, context } = this.#actor.getSnapshot()
    return { asking: value.open, questions: context.questions }
  }

  #of(question: string): OpenQuestion | undefined {
    return this.#open.get(question)
  }
}

/** A provider that cannot be listened to has no servers that die. */
function watch(provider: Provider, tell: (event: PolicyEvent) => void): () => void {
  const stops = [
    provider.on?.('child', (event) => {
      if (isDown(event)) tell({ type: 'child.down', tools: event.tools })
    }),
    provider.on?.('catalogue', (event: CatalogueEvent | undefined) => {
      if (Array.isArray(event?.removed)) tell({ type: 'child.down', tools: event.removed })
    }),
  ]
  return () => {
    // An emitter of Node has an `on` too, which returns something else.
    for (const stop of stops) if (typeof stop === 'function') stop()
  }
}

/** A server that was stopped, or stopped for lack of work, did not die. */
function isDown({ state, failure }: ChildEvent): boolean {
  return state === 'backingOff' || state === 'exhausted' || failure !== undefined
}
