import type { ToolCall } from '../../bridge/provider.ts'
import type { ReadyCall } from '../../bridge/read-call.ts'
import type { ToolOutcome } from '../../bridge/tool-result.ts'
import type { HookContext } from '../../client/hooks.ts'
import type { ElicitResult } from '../../protocol/elicitation.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import { quietly } from '../../quietly.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { AskRequest } from './ask.ts'
import type { GrantBooks } from './grant-books.ts'
import { InsideHooks } from './inside-hooks.ts'
import type { PolicyOptions } from './policy-options.ts'
import type { QuestionDesk } from './question-desk.ts'
import { readElicitResult, readVerdict } from './read-answer.ts'
import { refusals } from './refusals.ts'
import type { Rule } from './rule.ts'
import type { Evaluation } from './rule-set.ts'

/** A call that a person is to decide about. */
export interface OpenCall {
  /** As it came. */
  readonly given: ToolCall
  readonly call: ReadyCall
  readonly evaluation: Evaluation
  readonly batch: string
  readonly signal: AbortSignal | undefined
}

/** Whoever answers `onAsk`, as the policy talks to them. */
export class Person {
  readonly warn: (message: string) => void
  readonly #options: PolicyOptions
  readonly #desk: QuestionDesk
  readonly #books: GrantBooks
  readonly #hooks = new InsideHooks()

  constructor(options: PolicyOptions, desk: QuestionDesk, books: GrantBooks) {
    this.warn = quietly(options.onWarn)
    this.#options = options
    this.#desk = desk
    this.#books = books
  }

  /** Whether there is anybody. */
  get isThere(): boolean {
    return this.#options.onAsk !== undefined
  }

  /** Whether this runs inside one of their hooks, so that a question would wait for itself. */
  get isBeingAsked(): boolean {
    return this.#hooks.isInside
  }

  /** Undefined when the call may be made. */
  async decide(open: OpenCall): Promise<ToolOutcome | undefined> {
    const { call, evaluation, batch, signal } = open
    const { name, arguments: args } = call
    const granted = () => this.#books.decide(name, args, evaluation)
    const request = permissionRequest(open)
    let said: ToolOutcome | undefined
    const outcome = await this.#desk.ask({
      subject: { kind: 'permission', batch, tool: name },
      isDecided: () => granted() !== undefined,
      put: async (signal) => {
        said = await this.#permission(request, evaluation, signal)
      },
    })
    switch (outcome) {
      case 'answered':
        return said
      case 'settledByGrant':
        return granted() === 'allow' ? undefined : refusals.deniedByGrant(name)
      case 'timedOut':
        return refusals.timedOut(name, this.#options.askTimeoutMs)
      case 'withdrawn':
        return signal?.aborted ? refusals.cancelled(name) : refusals.withdrawn(name)
    }
  }

  /** Answers a server; a question that nobody answers is declined, one that nobody wants answered any more is cancelled. */
  async elicit(request: InputRequest, context: Partial<HookContext>, batch: string): Promise<ElicitResult> {
    let answer: ElicitResult = { action: 'decline' }
    const outcome = await this.#desk.ask(
      {
        subject: { kind: 'server-elicit', batch, tool: context.toolCall?.function.name },
        isDecided: () => false,
        put: async (signal) => {
          answer = (await this.#elicitation(request, signal)) ?? answer
        },
      },
      context.signal,
    )
    return outcome === 'answered' ? answer : { action: 'cancel' }
  }

  async #permission(
    request: AskRequest & { kind: 'permission' },
    { suggestion }: Evaluation,
    signal: AbortSignal,
  ): Promise<ToolOutcome | undefined> {
    try {
      const { checks = {} } = this.#options
      const verdict = readVerdict(await this.#put(request, signal), suggestion, Object.keys(checks))
      if (!signal.aborted && verdict.remember.length > 0) this.#remember(verdict.remember)
      return verdict.decision === 'allow' ? undefined : refusals.deniedByPerson(request.tool)
    } catch (failure) {
      return refusals.unusable(request.tool, thrownMessage(failure))
    }
  }

  async #elicitation(request: InputRequest, signal: AbortSignal): Promise<ElicitResult | undefined> {
    try {
      const answer = await this.#put({ kind: 'server-elicit', request: structuredClone(request) }, signal)
      const result = readElicitResult(answer)
      if (!result) this.warn("onAsk answered a server's question with no ElicitResult: declined")
      return result
    } catch (failure) {
      this.warn(`onAsk failed at a server's question: declined (${thrownMessage(failure)})`)
      return undefined
    }
  }

  #put(request: AskRequest, signal: AbortSignal): Promise<unknown> {
    return this.#hooks.run(() => this.#options.onAsk?.(request, { signal }))
  }

  #remember(rules: readonly Rule[]): void {
    this.#books.remember(rules)
    const { onGrant } = this.#options
    if (!onGrant) return
    this.#hooks
      .run(() => onGrant(this.#books.grants))
      .catch((failure: unknown) =>
        this.warn(`onGrant failed; what was granted stands all the same (${thrownMessage(failure)})`),
      )
  }
}

/** Copies: what a person is shown is not what runs. */
function permissionRequest({ given, call, evaluation }: OpenCall): AskRequest & { kind: 'permission' } {
  const { reason, rule, paths, suggestion } = evaluation
  return structuredClone({
    kind: 'permission',
    tool: call.name,
    arguments: call.arguments,
    call: given,
    ...(rule && { rule }),
    reason,
    paths,
    suggestion,
  })
}
