import { isDeepStrictEqual } from 'node:util'
import type { Config, ConfiguredServer } from './config.ts'

/** What became of the servers from one configuration to the next. */
export interface Difference {
  readonly removed: readonly ConfiguredServer[]
  readonly changed: readonly { readonly before: ConfiguredServer; readonly after: ConfiguredServer }[]
  readonly added: readonly ConfiguredServer[]
}

/** Compares what was made of two files; how they are written means nothing. A server is the same one as long as its name is. */
export function difference(before: Pick<Config, 'servers'>, after: Pick<Config, 'servers'>): Difference {
  const changed = [...after.servers.values()].flatMap((server) => {
    const old = before.servers.get(server.name)
    return old && !isSame(old, server) ? [{ before: old, after: server }] : []
  })
  return {
    removed: [...before.servers.values()].filter(({ name }) => !after.servers.has(name)),
    changed,
    added: [...after.servers.values()].filter(({ name }) => !before.servers.has(name)),
  }
}

/** Secrets follow from the rest. */
function isSame(
  { secrets: _, ...before }: ConfiguredServer,
  { secrets: __, ...after }: ConfiguredServer,
): boolean {
  return isDeepStrictEqual(before, after)
}
