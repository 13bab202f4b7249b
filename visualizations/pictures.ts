import { readFile } from 'node:fs/promises'
import type { AnyStateMachine } from 'xstate'
import { describe } from '../src/diagram/describe.ts'
import { toMermaid } from '../src/diagram/mermaid.ts'
import { toStately } from '../src/diagram/stately.ts'
import { toSvg } from './svg.ts'

/** The files that show the machines, by file name. The same machines give the same bytes. */
export async function pictures(machines: Record<string, AnyStateMachine>): Promise<Map<string, string>> {
  const files = new Map<string, string>()
  for (const [name, machine] of Object.entries(machines)) {
    const chart = describe(machine)
    files.set(`${name}.svg`, await toSvg(chart))
    files.set(`${name}.mmd`, toMermaid(chart))
    files.set(`${name}.json`, `${JSON.stringify(toStately(chart), undefined, 2)}\n`)
  }
  return files
}

/** The names of the files that are missing from a folder or differ from what they should be. */
export async function staleIn(folder: URL, files: Map<string, string>): Promise<string[]> {
  const checks = [...files].map(async ([name, text]) =>
    (await read(new URL(name, folder))) === text ? [] : [name],
  )
  return (await Promise.all(checks)).flat()
}

async function read(file: URL): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    return undefined
  }
}
