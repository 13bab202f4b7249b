import type { ToolCall, ToolResult } from '../../bridge/provider.ts'
import { readRevision, revisionKey } from '../../protocol/revision.ts'
import type { NamedLocation } from '../policy/paths/call-locations.ts'

/** The oldest are forgotten, and must be read again before they are overwritten. */
const mostRemembered = 10_000

/** What an agent knows of the files it read: sent with its changes, so that a server refuses those of what has changed since. */
export class Revisions {
  readonly #known = new Map<string, string>()

  /** The call with what its target must still be; as it is where nothing is known, unless it overwrites the whole file. */
  fence(call: ToolCall, [target]: readonly NamedLocation[], overwrites: boolean): ToolCall {
    if (!target?.location || readRevision(call.meta) !== undefined) return call
    const revision = this.#known.get(target.text) ?? (overwrites ? null : undefined)
    return revision === undefined ? call : { ...call, meta: { ...call.meta, [revisionKey]: revision } }
  }

  /** A read: what was there; one that failed, maybe nothing is. */
  learnRead({ meta, is_error }: ToolResult, [target]: readonly NamedLocation[]): void {
    const revision = readRevision(meta)
    if (!target?.location) return
    if (is_error) this.#known.delete(target.text)
    else if (typeof revision === 'string') this.#remember(target.text, revision)
  }

  /** A change: what is where it ended, and nothing else of what it named. One that was refused must be read again. */
  learnChange({ meta, is_error }: ToolResult, places: readonly NamedLocation[]): void {
    if (is_error) return
    const revision = readRevision(meta)
    for (const { text } of places) this.#known.delete(text)
    const end = places.at(-1)
    if (end?.location && typeof revision === 'string') this.#remember(end.text, revision)
  }

  #remember(path: string, revision: string): void {
    this.#known.delete(path)
    this.#known.set(path, revision)
    const [oldest] = this.#known.keys()
    if (this.#known.size > mostRemembered && oldest !== undefined) this.#known.delete(oldest)
  }
}
