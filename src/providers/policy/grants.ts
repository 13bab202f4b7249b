import { createActor, fromTransition } from 'xstate'
import { checkOptions } from '../../check-options.ts'
import { ConfigError } from '../../errors.ts'
import { readRules } from './read-rules.ts'
import type { Rule } from './rule.ts'
import { ruleKey } from './rule-key.ts'

export interface GrantsOptions {
  /** What a person decided before: rules that allow or deny. */
  readonly grants?: readonly Rule[]
}

type GrantsEvent = { readonly type: 'remember'; readonly grants: readonly Rule[] }

const book = fromTransition(
  (known: readonly Rule[], { grants }: GrantsEvent): readonly Rule[] => {
    const fresh = new Map(grants.map((grant) => [ruleKey(grant), grant]))
    for (const grant of known) fresh.delete(ruleKey(grant))
    return fresh.size ? [...known, ...fresh.values()] : known
  },
  ({ input }: { input: readonly Rule[] }) => input,
)

/** What a person decided for good, for any number of policies: each of them consults it on every decision. */
export class Grants {
  readonly #book

  /** @throws ConfigError for a grant that is no valid rule, or decides nothing */
  constructor(options: GrantsOptions = {}) {
    checkOptions(options, { grants: () => undefined })
    const { grants = [] } = options
    this.#book = createActor(book, { input: readGrants(grants) }).start()
  }

  /** All of them, in the order they were given. A copy. */
  get grants(): Rule[] {
    return structuredClone([...this.entries])
  }

  /** The same, not to be changed: another array only once there are others. */
  get entries(): readonly Rule[] {
    return this.#book.getSnapshot().context
  }

  /** Adds grants; one that is there already is not added again. @throws ConfigError, and then none of them is added */
  remember(grants: readonly Rule[]): void {
    this.#book.send({ type: 'remember', grants: readGrants(grants) })
  }

  /** Tells of every change. Returns what stops it. */
  subscribe(listener: (grants: Rule[]) => void): () => void {
    let known = this.entries
    const subscription = this.#book.subscribe(() => {
      if (known === this.entries) return
      known = this.entries
      listener(this.grants)
    })
    return () => subscription.unsubscribe()
  }
}

/** Which checks there are is for each policy to know. @throws ConfigError */
export function readGrants(value: unknown, path: readonly string[] = ['grants']): readonly Rule[] {
  const grants = readRules(value, { path, checks: 'any' })
  const undecided = grants.findIndex(({ decision }) => decision === 'ask')
  if (undecided >= 0)
    throw new ConfigError({
      path: [...path, String(undecided), 'decision'],
      reason: 'must be allow or deny: a grant is an answer',
    })
  return grants
}
