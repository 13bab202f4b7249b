import type { ReadyCall } from '../../bridge/read-call.ts'
import { failed, type ToolOutcome } from '../../bridge/tool-result.ts'
import { quietly } from '../../quietly.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { NamedLocation } from '../policy/paths/call-locations.ts'
import { matchesTool } from '../tool-pattern.ts'
import { placesOfCall } from './call-places.ts'
import { notChangedText, unclearText, unclearWarning } from './lease-texts.ts'
import type { LeasesOptions } from './leases-options.ts'

const usualTools: readonly string[] = ['fs_write', 'fs_edit', 'fs_mkdir', 'fs_move', 'fs_delete']

/** What becomes of a call that changes files. */
export type Admission =
  | { readonly kind: 'refused'; readonly outcome: ToolOutcome }
  /** `warning` is for its result. */
  | {
      readonly kind: 'admitted'
      readonly places: readonly NamedLocation[]
      readonly generations: readonly number[]
      readonly warning?: string
    }

/** Lets changes through that no other agent's lock forbids, and pins the locks that cover them. */
export class Mutations {
  readonly #options: LeasesOptions

  constructor(options: LeasesOptions) {
    this.#options = options
  }

  isOne({ name }: ReadyCall): boolean {
    const { enforcedTools = usualTools } = this.#options
    return enforcedTools.some((pattern) => matchesTool(pattern, name))
  }

  /** Whether changes need a lock: others are at work, or nobody knows. */
  async areStrict(): Promise<boolean> {
    const { concurrent } = this.#options
    if (!concurrent) return false
    try {
      const count: unknown = await concurrent()
      return !(typeof count === 'number' && count <= 1)
    } catch (error) {
      const warn = quietly(this.#options.onWarn)
      warn(`concurrent threw: ${thrownMessage(error)}; every change needs a lock as long as nobody knows`)
      return true
    }
  }

  /** Whatever is admitted must be `end`ed. A table that is gone refuses. */
  async admit({ name, arguments: args }: ReadyCall, isStrict: boolean): Promise<Admission> {
    const places = placesOfCall(name, args, this.#options)
    const isClear = places.length > 0 && places.every(({ location }) => location)
    if (!isClear) return isStrict ? refused(failed(unclearText(name))) : unclear(places)
    try {
      const outcome = await this.#options.table.pin({
        holder: this.#options.agentId,
        paths: places.map(({ text }) => text),
        coverage: isStrict ? 'required' : 'optional',
      })
      return outcome.kind === 'pinned'
        ? { kind: 'admitted', places, generations: outcome.generations }
        : refused(failed(notChangedText(name, outcome.refusal)))
    } catch (failure) {
      return refused(failed(failure))
    }
  }

  async end(admissions: readonly (Admission | undefined)[]): Promise<void> {
    for (const admission of admissions) {
      if (admission?.kind !== 'admitted' || admission.generations.length === 0) continue
      try {
        await this.#options.table.unpin(admission.generations)
      } catch {
        // The table is gone, and the pins with it.
      }
    }
  }
}

function refused(outcome: ToolOutcome): Admission {
  return { kind: 'refused', outcome }
}

function unclear(places: readonly NamedLocation[]): Admission {
  return { kind: 'admitted', places, generations: [], warning: unclearWarning }
}
