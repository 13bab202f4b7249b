import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Registry } from '../../src/index.ts'

export type Role = 'echo' | 'modern' | 'mortal' | 'everything' | 'filesystem'

export interface Cast {
  readonly registry: Registry
  /** The prefixes of each kind of server. */
  readonly roles: { readonly [role in Role]: readonly string[] }
  /** A text file the filesystem server may read. */
  readonly file: string
  readonly warnings: string[]
  /** What ran, by the journals of those servers that keep one. */
  journal(): readonly string[]
  /** The processes that run for it. */
  pids(): readonly number[]
  leave(): Promise<void>
}

const packages = createRequire(import.meta.url)
const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/servers/${name}.mjs`, import.meta.url))

/** Twenty real servers under one registry. */
export async function assemble(): Promise<Cast> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-soak-'))
  const file = join(folder, 'notes.txt')
  await writeFile(file, 'Read me as often as you like.')
  const marker = `TROUPE_SOAK=${randomUUID()}`
  const warnings: string[] = []
  const registry = new Registry({
    maxRestarts: 1_000_000,
    backoff: { initialMs: 20, maxMs: 1_000 },
    downWaitMs: 60_000,
    onElicit: () => ({ action: 'accept', content: { name: 'Soak', greeting: 'Hello' } }),
    onWarn: (message) => warnings.push(message),
  })
  const scripts: { readonly [role in Role]: (prefix: string) => readonly string[] } = {
    echo: () => [fixture('echo')],
    modern: () => [fixture('modern')],
    mortal: (prefix) => [fixture('mortal'), join(folder, `${prefix}.journal`)],
    everything: () => [packages.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
    filesystem: () => [packages.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
  }
  const sizes = { echo: 6, modern: 5, mortal: 6, everything: 2, filesystem: 1 } as const
  const add = (role: Role) =>
    Array.from({ length: sizes[role] }, (_, index) => {
      const prefix = `${role}${index + 1}`
      const [name = '', value = ''] = marker.split('=')
      registry.add(
        { command: process.execPath, args: scripts[role](prefix), env: { [name]: value } },
        { prefix },
      )
      return prefix
    })
  const roles = {
    echo: add('echo'),
    modern: add('modern'),
    mortal: add('mortal'),
    everything: add('everything'),
    filesystem: add('filesystem'),
  }
  return {
    registry,
    roles,
    file,
    warnings,
    journal: () => roles.mortal.flatMap((prefix) => linesOf(join(folder, `${prefix}.journal`))),
    pids: () => processesWith(marker),
    leave: async () => {
      await registry.close()
      await rm(folder, { recursive: true })
    },
  }
}

function linesOf(file: string): readonly string[] {
  return readFileSync(file, 'utf8').trim().split('\n')
}

function processesWith(marker: string): readonly number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && environmentOf(name).includes(marker))
    .map(Number)
}

function environmentOf(pid: string): readonly string[] {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0')
  } catch {
    return []
  }
}
