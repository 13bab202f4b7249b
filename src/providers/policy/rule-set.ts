import type { Answer } from '../../answer.ts'
import { readArguments } from '../../bridge/read-arguments.ts'
import { type Location, readLocation } from '../../paths/location.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import { longestMatch, longestPrefix, matchesTool } from '../tool-pattern.ts'
import { CallFacts } from './call-facts.ts'
import type { EffectiveCommand } from './commands/effective-command.ts'
import { ScriptCache } from './commands/script-cache.ts'
import { checkEvaluationOptions, type Evaluating, type EvaluationOptions } from './evaluation-options.ts'
import { usualPathParams } from './paths/call-locations.ts'
import { PreparedRule } from './prepared-rule.ts'
import { readRules } from './read-rules.ts'
import type { Decision, Rule } from './rule.ts'
import { ruleKey } from './rule-key.ts'
import { type Suggestion, suggest } from './suggestion.ts'

/** What the rules say about one call. */
export interface Evaluation {
  readonly decision: Decision
  /** `no-match`: no rule speaks about the call. `unevaluable-path`: where it leads cannot be told. */
  readonly reason: 'rule' | 'no-match' | 'unevaluable-path'
  /** The rule that decided. */
  readonly rule?: Rule
  /** The locations the call names, absolute where that can be told. */
  readonly paths: readonly string[]
  /** The narrowest rule that would cover it. */
  readonly suggestion: Suggestion
}

/** What one rule says of one call. */
export interface RuleAnswer {
  readonly rule: Rule
  /** Whether the call is one that it means; unknown where that cannot be told for certain. */
  readonly answer: Answer
}

const strength: { readonly [decision in Decision]: number } = { deny: 2, ask: 1, allow: 0 }

/** More tools than this are no catalogue but names made up. */
const mostTools = 1000

/** What a tool's calls are measured by, prepared once. */
interface ToolView {
  readonly rules: readonly PreparedRule[]
  readonly root: Location | undefined
  readonly pathParams: readonly string[]
  readonly commandParams: readonly string[]
}

/** Rules made ready: every call is measured against all of them, and their order means nothing. */
export class RuleSet {
  readonly rules: readonly Rule[]
  readonly #options: Evaluating
  readonly #prepared: readonly PreparedRule[]
  readonly #views = new Map<string, ToolView>()
  readonly #scripts: ScriptCache

  /** @throws ConfigError for a rule that cannot be used */
  constructor(rules: unknown, options: Evaluating = {}, scripts = new ScriptCache()) {
    this.rules = readRules(rules, { checks: Object.keys(options.checks ?? {}) })
    checkEvaluationOptions(options)
    this.#options = options
    this.#scripts = scripts
    // Strongest first, then by content: which of two equal rules is named does not hang on their order.
    this.#prepared = this.rules
      .map((rule) => ({ rule, text: ruleKey(rule) }))
      .sort((a, b) => rank(b.rule) - rank(a.rule) || (a.text < b.text ? -1 : 1))
      .map(({ rule }) => new PreparedRule(rule, options))
  }

  /** `args`: what the call gives, parsed; undefined when it is no JSON object. */
  evaluate(tool: string, args: JsonObject | undefined): Evaluation {
    const view = this.#view(tool)
    const facts = this.#facts(tool, args)
    const evaluation = { paths: facts.paths, suggestion: suggest(tool, facts, view.root) }
    let unsure: PreparedRule | undefined
    for (const prepared of view.rules) {
      const { decision } = prepared.rule
      if (unsure && rank(unsure.rule) > rank(prepared.rule)) break
      const answer = prepared.answer(facts)
      if (answer === 'yes') return { decision, reason: 'rule', rule: prepared.rule, ...evaluation }
      if (answer === 'unknown' && decision !== 'allow') unsure ??= prepared
    }
    const isUnevaluable = facts.isUnevaluable || view.rules.some((prepared) => prepared.cannotPlace(facts))
    const reason = isUnevaluable ? 'unevaluable-path' : unsure ? 'rule' : 'no-match'
    return {
      decision: unsure?.rule.decision ?? 'ask',
      reason,
      ...(unsure && { rule: unsure.rule }),
      ...evaluation,
    }
  }

  /** What each rule about the tool says of a call, the strongest first. */
  answers(tool: string, args: JsonObject | undefined): readonly RuleAnswer[] {
    const facts = this.#facts(tool, args)
    return this.#view(tool).rules.map((prepared) => ({ rule: prepared.rule, answer: prepared.answer(facts) }))
  }

  /** What a call really runs, whatever it is wrapped in; empty for a tool that runs nothing. */
  commands(tool: string, args: JsonObject | undefined): readonly EffectiveCommand[] {
    const facts = this.#facts(tool, args)
    return facts.runsCommands ? facts.commands.map(({ command }) => command) : []
  }

  /** Whether every call of the tool is denied, whatever its arguments. */
  denies(tool: string): boolean {
    return this.#view(tool).rules.some(({ rule, isBare }) => isBare && rule.decision === 'deny')
  }

  #facts(tool: string, args: JsonObject | undefined): CallFacts {
    return new CallFacts(args, this.#view(tool), this.#options.declared?.(tool), this.#scripts)
  }

  #view(tool: string): ToolView {
    const known = this.#views.get(tool)
    if (known) return known
    const { roots = {}, pathParams = {}, commandParams = {} } = this.#options
    const root = longestPrefix(roots, tool)
    const location = root === undefined ? undefined : readLocation(root)
    const view: ToolView = {
      rules: this.#prepared
        .filter(({ rule }) => matchesTool(rule.tool, tool))
        .map((prepared) => prepared.seenFrom(location)),
      root: location,
      pathParams: longestMatch(pathParams, tool) ?? usualPathParams,
      commandParams: longestMatch(commandParams, tool) ?? ['command', 'args'],
    }
    if (this.#views.size >= mostTools) this.#views.clear()
    this.#views.set(tool, view)
    return view
  }
}

/**
 * The same in one go: rules, a tool's name and the arguments of a call, an object or its JSON text.
 * @throws ConfigError for a rule that cannot be used
 */
export function evaluate(
  rules: readonly Rule[],
  tool: string,
  args: JsonObject | string | undefined,
  options: EvaluationOptions = {},
): Evaluation {
  const reading = readArguments(args)
  return new RuleSet(rules, options).evaluate(tool, 'arguments' in reading ? reading.arguments : undefined)
}

/** Of equal strength, danger goes first: it is what the person must hear about. */
function rank({ decision, severity }: Rule): number {
  return strength[decision] * 2 + (severity === 'danger' ? 1 : 0)
}
