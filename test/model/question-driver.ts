import { QuestionDesk } from '../../src/providers/policy/question-desk.ts'
import { TestClock } from '../../src/testing/index.ts'
import { RecordingProvider } from '../providers/policy/recording-provider.ts'
import { type Deferred, next } from './deferred.ts'
import {
  type QuestionExpectation,
  type QuestionName,
  type QuestionSpecificationEvent,
  subjects,
} from './question-specification.ts'

const askTimeoutMs = 1_000

/** The real desk: a test's person, clock and servers around it. */
export class QuestionDriver {
  readonly clock = new TestClock()
  readonly #provider = new RecordingProvider()
  readonly #desk = new QuestionDesk({ provider: this.#provider, clock: this.clock, askTimeoutMs })
  readonly #outcomes: { -readonly [name in QuestionName]?: QuestionExpectation['outcomes'][name] } = {}
  readonly #put: { readonly name: QuestionName; readonly signal: AbortSignal }[] = []
  readonly #answers: Deferred<void>[] = []
  readonly #third = new AbortController()
  readonly #unasked: QuestionName[] = ['first', 'second', 'third']
  #mayRead = false

  async act({ type }: QuestionSpecificationEvent): Promise<void> {
    this.#do(type)
    await this.clock.settle()
  }

  get known(): QuestionExpectation & { readonly state: string } {
    const { asking, questions } = this.#desk.snapshot
    const queue = questions.map(({ batch, tool }) => nameOf(batch, tool))
    return { state: asking, queue, outcomes: { ...this.#outcomes } }
  }

  /** Who is being asked this very moment, as the person sees it. */
  get inFront(): readonly QuestionName[] {
    return this.#put
      .filter(({ name, signal }) => !signal.aborted && !this.#outcomes[name])
      .map(({ name }) => name)
  }

  /** Whether servers are listened to. */
  get isListening(): boolean {
    return this.#provider.listeners > 0
  }

  #do(type: QuestionSpecificationEvent['type']): void {
    switch (type) {
      case 'the next is asked':
        return this.#ask()
      case 'the person answers':
        return this.#answers.at(-1)?.resolve()
      case 'the person fails':
        return this.#answers.at(-1)?.reject(new Error('the dialog broke'))
      case 'the person allows reading for good':
        this.#mayRead = true
        return this.#answers.at(-1)?.resolve()
      case 'time is up':
        return this.#passTime()
      case 'batch one is aborted':
        return this.#desk.withdrawBatch('one')
      case 'the third is no longer wanted':
        return this.#third.abort()
      case 'the server of read dies':
        return this.#provider.tell({ tools: ['read'] })
      case 'another server dies':
        return this.#provider.tell({ tools: ['fetch'] })
    }
  }

  #ask(): void {
    const name = this.#unasked.shift() ?? 'first'
    const subject = { kind: 'permission' as const, ...subjects[name] }
    const put = (signal: AbortSignal) => {
      this.#put.push({ name, signal })
      return next(this.#answers)
    }
    const isDecided = () => this.#mayRead && subject.tool === 'read'
    void this.#desk
      .ask({ subject, isDecided, put }, name === 'third' ? this.#third.signal : undefined)
      .then((outcome) => {
        this.#outcomes[name] = outcome
      })
  }

  /** To the millisecond, from when it was put. */
  #passTime(): void {
    const before = this.inFront
    this.clock.advance((this.clock.nextInMs ?? 0) - 1)
    if (this.inFront[0] !== before[0]) throw new Error('The question ended before its time')
    this.clock.advance(1)
  }
}

function nameOf(batch: string, tool: string | undefined): QuestionName {
  if (batch === 'two') return 'third'
  return tool === 'read' ? 'first' : 'second'
}
