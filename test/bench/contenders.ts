import { existsSync } from 'node:fs'

/** In the order of the columns. Each is a module of that name for each wire below `contenders/`. */
export const contenderNames = ['raw', 'official', 'ours', 'ours-inline'] as const
export type Contender = (typeof contenderNames)[number]

const builtClient = new URL('../../dist/src/index.js', import.meta.url)

/** The wanted contenders that can run, and a note on each that cannot. */
export function availableContenders(wanted: readonly Contender[]) {
  const built = existsSync(builtClient)
  const contenders = wanted.filter((name) => built || !name.startsWith('ours'))
  const missing = wanted.filter((name) => !contenders.includes(name))
  return { contenders, absent: missing.map((name) => `${name}: skipped, dist/src/index.js is not built`) }
}
