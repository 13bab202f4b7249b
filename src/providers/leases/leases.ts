import type {
  ExecuteOptions,
  Provider,
  ToolCall,
  ToolDeclaration,
  ToolResult,
} from '../../bridge/provider.ts'
import { malformedText, type ReadyCall, readCall } from '../../bridge/read-call.ts'
import { refusedBatch } from '../../bridge/refuse-batch.ts'
import { failed, type ToolOutcome } from '../../bridge/tool-result.ts'
import { overlap, type Place, placeOf } from '../../paths/place.ts'
import { forward } from '../forward.ts'
import { matchesTool } from '../tool-pattern.ts'
import { placesOfCall } from './call-places.ts'
import { checkLeasesOptions, type LeasesOptions } from './leases-options.ts'
import { LockDesk } from './lock-desk.ts'
import { isLockTool, lockDeclarations } from './lock-tools.ts'
import { type Admission, Mutations } from './mutations.ts'
import { Revisions } from './revisions.ts'

/** A call on its way through. */
interface Passage {
  readonly given: ToolCall
  /** Undefined when it is malformed. */
  readonly call?: ReadyCall
  /** Of a call that changes files. */
  readonly admission?: Admission
  /** What is said of a call that goes no further. */
  readonly said?: ToolOutcome
}

/**
 * Keeps the agents of a workspace out of each other's files: one layer an agent, one table for all. Models lock and release by two
 * tools; what changes a file is refused where another agent holds a lock, and, while others are at work, where this one holds
 * none. What an agent read is fenced: a server that tells revisions refuses changes of what has changed since.
 *
 * ```ts
 * const table = new LeaseTable()
 * const provider = new Leases({ inner: registry, table, agentId: 'agent-1', roots: { fs: '/srv/work' }, concurrent: () => agents.size })
 * ```
 */
export class Leases implements Provider {
  /** Listens to what is below; there where that can be listened to. */
  readonly on?: NonNullable<Provider['on']>
  readonly #options: LeasesOptions
  readonly #locks: LockDesk
  readonly #mutations: Mutations
  readonly #revisions = new Revisions()

  /** @throws ConfigError for an unknown or bad option */
  constructor(options: LeasesOptions) {
    checkLeasesOptions(options)
    this.#options = options
    this.#locks = new LockDesk(options)
    this.#mutations = new Mutations(options)
    const { inner } = options
    if (inner.on) this.on = inner.on.bind(inner)
  }

  /** What is below, and the two tools of this layer. Throws when it cannot be listed. */
  async toolsForLlm(): Promise<readonly ToolDeclaration[]> {
    const { inner, table } = this.#options
    const tools = await inner.toolsForLlm()
    if (!this.#publishes) return tools
    return [
      ...tools.filter((tool) => !isLockTool(tool.function.name)),
      ...lockDeclarations(table.defaultTtlMs),
    ]
  }

  /** Settles what locks and releases first, in order; the others go down as one batch as far as they may. Never throws. */
  async executeToolCalls(
    given: readonly ToolCall[],
    options: ExecuteOptions = {},
  ): Promise<readonly ToolResult[]> {
    const refused = refusedBatch(given, options)
    if (refused) return refused
    const calls: readonly ToolCall[] = [...given]
    const locked = await this.#settleLocks(calls, options.signal)
    const passages = await this.#admitChanges(locked)
    try {
      return await this.#forward(passages, options)
    } finally {
      await this.#mutations.end(passages.map(({ admission }) => admission))
    }
  }

  get #publishes(): boolean {
    return this.#options.publishTools !== false
  }

  async #settleLocks(
    calls: readonly ToolCall[],
    signal: AbortSignal | undefined,
  ): Promise<readonly Passage[]> {
    const passages: Passage[] = []
    for (const given of calls) {
      const reading = readCall(given)
      if (reading.kind === 'malformed') passages.push({ given, said: failed(malformedText(reading)) })
      else if (this.#publishes && isLockTool(reading.call.name))
        passages.push({ given, said: await this.#settleLock(reading.call, signal) })
      else passages.push({ given, call: reading.call })
    }
    return passages
  }

  async #settleLock(call: ReadyCall, signal: AbortSignal | undefined): Promise<ToolOutcome> {
    try {
      return await this.#locks.run(call, signal)
    } catch (failure) {
      return failed(failure)
    }
  }

  async #admitChanges(passages: readonly Passage[]): Promise<readonly Passage[]> {
    if (!passages.some(({ call }) => call && this.#mutations.isOne(call))) return passages
    const isStrict = await this.#mutations.areStrict()
    const admitted: Passage[] = []
    for (const passage of passages) {
      const { call } = passage
      const admission =
        call && this.#mutations.isOne(call) ? await this.#mutations.admit(call, isStrict) : undefined
      const said = admission?.kind === 'refused' ? admission.outcome : passage.said
      admitted.push({ ...passage, ...(admission && { admission }), ...(said && { said }) })
    }
    return admitted
  }

  async #forward(passages: readonly Passage[], options: ExecuteOptions): Promise<readonly ToolResult[]> {
    const results: ToolResult[] = []
    for (const batch of inBatches(passages)) {
      const calls = batch.map((passage) => this.#fenced(passage))
      const said = batch.map((passage) => passage.said)
      const answers = await forward(this.#options.inner, calls, said, options)
      for (const [index, passage] of batch.entries()) {
        const answer = answers[index]
        if (answer) results.push(this.#learned(passage, answer))
      }
    }
    return results
  }

  #fenced({ given, call, admission }: Passage): ToolCall {
    if (!call || admission?.kind !== 'admitted') return given
    const { overwritingTools = ['fs_write'] } = this.#options
    const overwrites = overwritingTools.some((pattern) => matchesTool(pattern, call.name))
    return this.#revisions.fence(given, admission.places, overwrites)
  }

  #learned({ call, admission, said }: Passage, result: ToolResult): ToolResult {
    if (said || !call) return result
    if (admission?.kind !== 'admitted') {
      this.#revisions.learnRead(result, placesOfCall(call.name, call.arguments, this.#options))
      return result
    }
    this.#revisions.learnChange(result, admission.places)
    return admission.warning ? { ...result, leases_warning: admission.warning } : result
  }
}

/** One batch, unless a place is changed twice: the second change must know what the first one left. */
function inBatches(passages: readonly Passage[]): readonly (readonly Passage[])[] {
  let batch: Passage[] = []
  let changed: Place[] = []
  const batches = [batch]
  for (const passage of passages) {
    const places = passage.admission?.kind === 'admitted' ? passage.admission.places : []
    const known = places.map(({ text }) => placeOf(text)).filter((place) => place !== undefined)
    if (known.some((place) => changed.some((other) => overlap(place, other)))) {
      batch = []
      changed = []
      batches.push(batch)
    }
    batch.push(passage)
    changed.push(...known)
  }
  return batches
}
