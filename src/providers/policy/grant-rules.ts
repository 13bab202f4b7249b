import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { ScriptCache } from './commands/script-cache.ts'
import type { Check, Evaluating } from './evaluation-options.ts'
import type { Rule } from './rule.ts'
import { RuleSet } from './rule-set.ts'

/** What grants say about calls; made ready again only when there are others. */
export class GrantRules {
  readonly #options: Evaluating
  readonly #scripts: ScriptCache
  #from: readonly (readonly Rule[])[] = []
  #prepared: RuleSet | undefined

  constructor(options: Evaluating, scripts: ScriptCache) {
    this.#options = options
    this.#scripts = scripts
  }

  /** Undefined when they have nothing to say. */
  decide(
    books: readonly (readonly Rule[])[],
    tool: string,
    args: JsonObject | undefined,
  ): 'allow' | 'deny' | undefined {
    if (books.every((book) => book.length === 0)) return undefined
    const { decision, rule } = this.#prepare(books).evaluate(tool, args)
    return rule && decision !== 'ask' ? decision : undefined
  }

  #prepare(books: readonly (readonly Rule[])[]): RuleSet {
    const isKnown = books.every((book, index) => book === this.#from[index])
    if (this.#prepared && isKnown) return this.#prepared
    const grants = books.flat()
    const checks = { ...unsureChecks(grants), ...this.#options.checks }
    this.#prepared = new RuleSet(grants, { ...this.#options, checks }, this.#scripts)
    this.#from = books
    return this.#prepared
  }
}

/** A check that only another policy of the same book has is unsure here: an allow does not fire, a deny does. */
function unsureChecks(grants: readonly Rule[]): { readonly [name: string]: Check } {
  return Object.fromEntries(
    grants.flatMap(({ check }) => (check === undefined ? [] : [[check, () => 'unknown']])),
  )
}
