import type {
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import { readArguments } from '../../bridge/read-arguments.ts'
import { malformedText, readCall } from '../../bridge/read-call.ts'
import { refusedBatch } from '../../bridge/refuse-batch.ts'
import { failed, type ToolOutcome } from '../../bridge/tool-result.ts'
import type { HookContext } from '../../client/hooks.ts'
import { systemClock } from '../../clock.ts'
import type { ElicitResult } from '../../protocol/elicitation.ts'
import type { InputRequest } from '../../protocol/input-requests.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { allDeclaredArguments } from '../declared-arguments.ts'
import { forward } from '../forward.ts'
import { removalsSoFar } from '../removals.ts'
import { Claims } from './claims.ts'
import { ScriptCache } from './commands/script-cache.ts'
import { defaultRules } from './default-rules.ts'
import { copyEvaluationOptions, type Evaluating } from './evaluation-options.ts'
import { GrantBooks } from './grant-books.ts'
import { Person } from './person.ts'
import { checkPolicyOptions, type PolicyOptions } from './policy-options.ts'
import { QuestionDesk } from './question-desk.ts'
import type { Declared } from './read-argument.ts'
import { refusals } from './refusals.ts'
import type { Rule } from './rule.ts'
import { RuleSet } from './rule-set.ts'

/** For whichever policy of this process a server's question reaches. */
const claims = new Claims<Person>()

/** Calls on their way through. */
interface Batch {
  readonly id: string
  readonly rules: RuleSet
  readonly signal: AbortSignal | undefined
  /** Those that a person was asked about. */
  readonly asked: ToolCall[]
}

/**
 * Decides every call before its provider sees it: the rules say allow, deny or ask; where they say ask, what was granted for good
 * is looked up, and only then is a person asked. One question at a time, in order; each is looked up again when its turn comes.
 * What a person allows is run by what they were asked about: an entry that a registry replaces meanwhile takes its calls with it.
 *
 * ```ts
 * const policy = new Policy({ provider, rules: [...Policy.defaultRules(), { tool: 'fs_delete', decision: 'deny' }], onAsk })
 * await policy.executeToolCalls(calls)
 * ```
 */
export class Policy implements Provider {
  /** Reading, asking the user and locking are allowed. A copy each time. */
  static defaultRules(): Rule[] {
    return defaultRules()
  }

  /** Listens to what is below; there where that can be listened to. */
  readonly on?: NonNullable<Provider['on']>
  readonly #options: PolicyOptions
  readonly #evaluation: Evaluating
  readonly #scripts = new ScriptCache()
  readonly #books: GrantBooks
  readonly #desk: QuestionDesk
  readonly #person: Person
  /** By tool, as they were listed last. */
  #declared: ReadonlyMap<string, Declared> = new Map()
  #rules: RuleSet
  #batches = 0

  /** @throws ConfigError for an unknown or bad option, or a rule that cannot be used */
  constructor(options: PolicyOptions) {
    checkPolicyOptions(options)
    const { provider, rules = [], clock = systemClock, askTimeoutMs } = options
    this.#options = options
    this.#evaluation = {
      ...copyEvaluationOptions(options),
      declared: (tool) => this.#declared.get(tool),
    }
    this.#rules = this.#prepare(rules)
    this.#books = new GrantBooks(options, this.#evaluation, this.#scripts)
    this.#desk = new QuestionDesk({ provider, clock, askTimeoutMs })
    this.#person = new Person(options, this.#desk, this.#books)
    if (provider.on) this.on = provider.on.bind(provider)
  }

  /** Whether there is anybody to ask. */
  get interactive(): boolean {
    return this.#person.isThere
  }

  /** A copy. */
  get rules(): Rule[] {
    return structuredClone([...this.#rules.rules])
  }

  /** What is granted: this policy's own, then the shared book's. A copy. */
  get grants(): Rule[] {
    return this.#books.grants
  }

  /** A copy. */
  get roots(): { [toolPrefix: string]: string } {
    return { ...this.#evaluation.roots }
  }

  /** What is being asked right now, and what waits for its turn. */
  get state(): QuestionDesk['snapshot'] {
    return this.#desk.snapshot
  }

  /** Changes all rules at once; calls on their way keep the old ones. @throws ConfigError, and then the old ones stand */
  replaceRules(rules: readonly Rule[]): void {
    this.#rules = this.#prepare(rules)
  }

  /**
   * What becomes of a call without asking anybody; undefined when a person has to be asked.
   * `args` as a call has them: an object, or its JSON text.
   */
  grantDecision(tool: string, args: JsonObject | string): 'allow' | 'deny' | undefined {
    const reading = readArguments(args)
    const parsed = 'arguments' in reading ? reading.arguments : undefined
    const evaluation = this.#rules.evaluate(tool, parsed)
    const { decision } = evaluation
    return decision === 'ask' ? this.#books.decide(tool, parsed, evaluation) : decision
  }

  /** What is below, without the tools of which every call is denied (see `filterTools`). Throws when it cannot be listed. */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const tools = await this.#options.provider.toolsForLlm()
    this.#declared = new Map(
      tools.map(({ function: { name, parameters } }) => [name, allDeclaredArguments(parameters)]),
    )
    if (this.#options.filterTools === false) return tools
    return tools.filter(({ function: { name } }) => !this.#rules.denies(name))
  }

  /** Runs what is allowed, as one batch, and says of the others why not. Never throws. */
  async executeToolCalls(
    given: readonly ToolCall[],
    options: ExecuteOptions = {},
  ): Promise<readonly ToolResult[]> {
    const refused = refusedBatch(given, options)
    if (refused) return refused
    const calls: readonly ToolCall[] = [...given]
    const { signal, asOf = removalsSoFar() } = options
    this.#batches += 1
    const batch: Batch = { id: `batch-${this.#batches}`, rules: this.#rules, signal, asked: [] }
    const withdraw = () => this.#desk.withdrawBatch(batch.id)
    signal?.addEventListener('abort', withdraw, { once: true })
    const claim = this.#claim(batch.id, options)
    try {
      const said = await Promise.all(calls.map((call) => this.#refusal(call, batch)))
      const bound = batch.asked.length > 0 && { asOf }
      const own = { ...options, ...bound, ...(claim && { claim }) }
      return await forward(this.#options.provider, calls, said, own)
    } finally {
      signal?.removeEventListener('abort', withdraw)
      if (claim) claims.release(claim)
    }
  }

  /**
   * For a client's `onElicit`: puts servers' questions to whoever is asked about calls, one at a time with those.
   * Wire it only where the policy is `interactive`: servers are told that somebody answers.
   */
  readonly elicitHook = async (
    request: InputRequest,
    context: Partial<HookContext> = {},
  ): Promise<ElicitResult> => {
    const claimant = claims.find(context.claim)
    const person = claimant?.answerer ?? this.#person
    if (!person.isThere || request.method !== 'elicitation/create') return { action: 'decline' }
    if (person.isBeingAsked) {
      person.warn('A server asked something for a call made inside onAsk: declined, it would wait for itself')
      return { action: 'decline' }
    }
    return person.elicit(request, context, claimant?.batch ?? '')
  }

  #prepare(rules: readonly Rule[]): RuleSet {
    return new RuleSet(rules, this.#evaluation, this.#scripts)
  }

  /** Undefined when the call may be made. */
  async #refusal(given: ToolCall, { id, rules, signal, asked }: Batch): Promise<ToolOutcome | undefined> {
    try {
      const reading = readCall(given)
      if (reading.kind === 'malformed') return failed(malformedText(reading))
      const { call } = reading
      if (this.#person.isBeingAsked) return refusals.reentrant(call.name)
      if (signal?.aborted) return refusals.cancelled(call.name)
      // What is remembered of it would be about every tool that begins so.
      if (call.name.includes('*')) return refusals.pattern(call.name)
      const evaluation = rules.evaluate(call.name, call.arguments)
      if (evaluation.decision === 'allow') return undefined
      if (evaluation.decision === 'deny') return refusals.denied(call.name, evaluation)
      const granted = this.#books.decide(call.name, call.arguments, evaluation)
      if (granted) return granted === 'allow' ? undefined : refusals.deniedByGrant(call.name)
      if (!this.interactive) return refusals.headless(call.name, evaluation)
      asked.push(given)
      return await this.#person.decide({ given, call, evaluation, batch: id, signal })
    } catch (failure) {
      return failed(failure)
    }
  }

  /** Whoever claimed further out has these calls' questions; nobody claims what nobody would answer. */
  #claim(batch: string, { claim }: ExecuteOptions): string | undefined {
    const isOurs = claim === undefined && this.#options.claimElicits === true && this.interactive
    return isOurs ? claims.claim({ answerer: this.#person, batch }) : undefined
  }
}
