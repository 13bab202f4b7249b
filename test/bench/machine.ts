import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, type } from 'node:os'

export type Machine = ReturnType<typeof describeMachine>

/** What a reader has to know to compare two tables. */
export function describeMachine() {
  return {
    ours: versionIn(new URL('../../package.json', import.meta.url)),
    officialClient: versionIn(
      new URL('../package.json', import.meta.resolve('@modelcontextprotocol/client')),
    ),
    officialServer: versionIn(
      new URL('../package.json', import.meta.resolve('@modelcontextprotocol/server')),
    ),
    node: process.versions.node,
    cores: availableParallelism(),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    system: `${type()} ${release()}`,
    load: loadBefore,
    date: new Date().toISOString().slice(0, 10),
  }
}

const loadBefore = (loadavg()[0] ?? 0).toFixed(1)

function versionIn(url: URL): string {
  return (JSON.parse(readFileSync(url, 'utf8')) as { version: string }).version
}
