import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { ScriptCache } from './commands/script-cache.ts'
import type { Evaluating } from './evaluation-options.ts'
import { GrantRules } from './grant-rules.ts'
import { Grants } from './grants.ts'
import type { Rule } from './rule.ts'
import type { Evaluation } from './rule-set.ts'

/** What is granted to one policy: its own book, then the shared one. */
export class GrantBooks {
  readonly #own: Grants
  readonly #shared: Grants | undefined
  readonly #rules: GrantRules

  /** @throws ConfigError for a grant that is no valid rule */
  constructor(
    { grants = [], grantsStore }: { grants?: readonly Rule[]; grantsStore?: Grants },
    evaluation: Evaluating,
    scripts: ScriptCache,
  ) {
    this.#own = new Grants({ grants })
    this.#shared = grantsStore
    this.#rules = new GrantRules(evaluation, scripts)
  }

  /** A copy of all of them. */
  get grants(): Rule[] {
    return structuredClone(this.#books.flat())
  }

  remember(rules: readonly Rule[]): void {
    const book = this.#shared ?? this.#own
    book.remember(rules)
  }

  /** Undefined when they have nothing to say. Where there is danger a person says so every time: no grant allows it. */
  decide(
    tool: string,
    args: JsonObject | undefined,
    { rule }: Pick<Evaluation, 'rule'>,
  ): 'allow' | 'deny' | undefined {
    const decision = this.#rules.decide(this.#books, tool, args)
    return decision === 'allow' && rule?.severity === 'danger' ? undefined : decision
  }

  get #books(): readonly (readonly Rule[])[] {
    return this.#shared ? [this.#own.entries, this.#shared.entries] : [this.#own.entries]
  }
}
