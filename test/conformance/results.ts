import { readdir, readFile } from 'node:fs/promises'
import { join, relative } from 'node:path'

/** One line of a scenario's `checks.json`. FAILURE is a broken MUST, WARNING a broken SHOULD. */
export interface Check {
  readonly id: string
  readonly description: string
  readonly status: 'SUCCESS' | 'FAILURE' | 'WARNING' | 'SKIPPED' | 'INFO'
  readonly errorMessage?: string
}

export interface Result {
  readonly checks: readonly Check[]
  /** What the fixture printed on stderr. */
  readonly stderr: string
}

/** By name of the scenario. */
export type Results = ReadonlyMap<string, Result>

const timestamp = /-\d{4}-\d\d-\d\dT[\d-]+Z$/

/** Reads the folder the referee wrote: `<prefix><scenario>-<timestamp>/checks.json`, where a scenario's name may contain slashes. */
export async function readResults(folder: string, prefix = ''): Promise<Results> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const folders = files.filter(({ name }) => name === 'checks.json').map(({ parentPath }) => parentPath)
  return new Map(await Promise.all(folders.map((path) => readResult(folder, path, prefix))))
}

async function readResult(folder: string, path: string, prefix: string): Promise<[string, Result]> {
  const checks = JSON.parse(await readFile(join(path, 'checks.json'), 'utf8')) as Check[]
  const stderr = await readFile(join(path, 'stderr.txt'), 'utf8').catch(() => '')
  const name = relative(folder, path).replace(timestamp, '')
  return [name.startsWith(prefix) ? name.slice(prefix.length) : name, { checks, stderr }]
}
