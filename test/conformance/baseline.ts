import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'

/** Scenarios that may still fail. The referee reads the same file, and refuses entries that pass. */
export const baselineFile = fileURLToPath(new URL('baseline.yml', import.meta.url))

/** The entries of one side. Only whole scenarios: half a scenario is not worth a baseline. */
export async function readBaseline(leg: 'client' | 'server'): Promise<ReadonlySet<string>> {
  const lines = (await readFile(baselineFile, 'utf8')).split('\n').filter((line) => !/^\s*(#|$)/.test(line))
  const entries = new Set<string>()
  let side = ''
  for (const line of lines) {
    const [, key, entry] = /^(?:(\w+):(?: \[\])?| {2}- ([^\s:]+))$/.exec(line) ?? []
    if (key) side = key
    else if (!entry) throw new Error(`baseline.yml: neither a side nor a whole scenario: ${line}`)
    else if (side === leg) entries.add(entry)
  }
  return entries
}
