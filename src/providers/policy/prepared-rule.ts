import { type Answer, every, some } from '../../answer.ts'
import { isUnder } from '../../paths/containment.ts'
import { type Location, readLocation, resolve } from '../../paths/location.ts'
import type { CallFacts } from './call-facts.ts'
import type { EffectiveCommand } from './commands/effective-command.ts'
import {
  type CommandPattern,
  commandPattern,
  type MeasuredCommand,
  matchesCommand,
} from './commands/match-command.ts'
import type { Check, EvaluationOptions } from './evaluation-options.ts'
import { matchesHost, readHostPattern } from './hosts.ts'
import type { Rule } from './rule.ts'

/** A rule whose patterns are read once. */
export class PreparedRule {
  readonly rule: Rule
  /** It narrows nothing: every call of its tools is meant. */
  readonly isBare: boolean
  readonly #check: Check | undefined
  readonly #command: CommandPattern | undefined
  readonly #host: string | undefined
  readonly #under: Location | undefined

  readonly #options: EvaluationOptions

  /** `root`: what its `under` is relative to. */
  constructor(rule: Rule, options: EvaluationOptions, root?: Location) {
    const { checks = {} } = options
    this.rule = rule
    this.#options = options
    this.isBare = [rule.under, rule.command, rule.check, rule.host].every((member) => member === undefined)
    this.#check = rule.check === undefined ? undefined : checks[rule.check]
    this.#command = commandPattern(rule)
    this.#host = rule.host === undefined ? undefined : readHostPattern(rule.host)
    const under = rule.under === undefined ? undefined : readLocation(rule.under)
    this.#under = under && resolve(root, under)
  }

  /** The same rule for tools with this root. */
  seenFrom(root: Location | undefined): PreparedRule {
    return this.#under && root ? new PreparedRule(this.rule, this.#options, root) : this
  }

  /** All its predicates together. */
  answer(facts: CallFacts): Answer {
    const answers: Answer[] = []
    const isAllow = this.rule.decision === 'allow'
    if (isAllow && !facts.isReadable) return 'unknown'
    if (this.#host !== undefined) answers.push(matchesHost(this.#host, facts.host))
    if (this.#under)
      answers.push(isAllow ? this.#coversPlaces(facts, this.#under) : touches(facts, this.#under))
    if (this.#isAboutCommands)
      answers.push(isAllow ? this.#coversCommands(facts) : this.#concernsCommands(facts))
    return every(answers)
  }

  /** Whether it cannot be said if a place of the call is where the rule means. */
  cannotPlace(facts: CallFacts): boolean {
    const under = this.#under
    if (!under) return false
    return [...facts.named, ...facts.written].some(({ location }) => isUnder(location, under) === 'unknown')
  }

  get #isAboutCommands(): boolean {
    return this.rule.command !== undefined || this.#check !== undefined
  }

  /** What commands do shows in no location, so a directory alone does not cover them. */
  #coversPlaces(facts: CallFacts, under: Location): Answer {
    const places = [...facts.named, ...facts.written]
    if (places.length === 0 || (facts.runsCommands && !this.#isAboutCommands)) return 'unknown'
    return every(places.map(({ location }) => isUnder(location, under)))
  }

  #coversCommands(facts: CallFacts): Answer {
    if (facts.written.length > 0 && !this.#under) return 'no'
    const covered = facts.commands.filter(({ command }) => command.role !== 'passing')
    return every(covered.map((it) => this.#matches(it)))
  }

  #concernsCommands(facts: CallFacts): Answer {
    const concerned = facts.commands.filter(({ command }) => command.role !== 'possible')
    return some(concerned.map((it) => this.#matches(it)))
  }

  #matches(measured: MeasuredCommand): Answer {
    const matches = this.#command ? matchesCommand(this.#command, measured) : 'yes'
    return matches === 'no' || !this.#check ? matches : every([matches, this.#checked(measured.command)])
  }

  #checked(command: EffectiveCommand): Answer {
    if (!this.#check) return 'yes'
    try {
      return this.#check(command)
    } catch {
      return 'unknown'
    }
  }
}

/** A tool that names no place is somewhere all the same, unless it is known to take none. */
function touches(facts: CallFacts, under: Location): Answer {
  const places = [...facts.named, ...facts.written].map(({ location }) => isUnder(location, under))
  const isElsewhere = facts.named.length === 0 && !(facts.isReadable && facts.hasNoPlaces)
  return some(isElsewhere ? [...places, 'unknown'] : places)
}
