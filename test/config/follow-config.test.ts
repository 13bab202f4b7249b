import { rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Config } from '../../src/config/config.ts'
import { FollowedConfig } from '../../src/config/follow-config.ts'
import { temporaryFolder } from './harness.ts'

describe('a configuration that is followed', () => {
  it('is read again when its file is written, or another takes its place', async () => {
    await using project = await follow({ a: { command: 'a' } })
    await writeFile(project.path, text({ b: { command: 'b' } }))
    expect(await project.changes.next()).toEqual(['b'])
    await writeFile(`${project.path}.tmp`, text({ c: { command: 'c' } }))
    await rename(`${project.path}.tmp`, project.path)
    expect(await project.changes.next()).toEqual(['c'])
    expect([...project.followed.config.servers.keys()]).toEqual(['c'])
  })

  it('stays as it was when the file becomes bad or goes away, says so, and goes on', async () => {
    await using project = await follow({ a: { command: 'a' } })
    await writeFile(project.path, '{ "mcpServers": ')
    expect(await project.warnings.next()).toMatch(
      /is no valid JSON: .*; what was configured before stays in force$/,
    )
    await rm(project.path)
    expect(await project.warnings.next()).toMatch(/ENOENT/)
    expect([...project.followed.config.servers.keys()]).toEqual(['a'])
    await writeFile(project.path, text({ b: { command: 'b' } }))
    expect(await project.changes.next()).toEqual(['b'])
  })

  it('is read again when an envFile of it is written', async () => {
    await using project = await follow({})
    const envFile = join(project.path, '..', 'vars.env')
    await writeFile(envFile, 'A=1')
    await writeFile(project.path, text({ a: { command: 'a', envFile } }))
    expect(await project.changes.next()).toEqual(['a'])
    await writeFile(envFile, 'A=2')
    await project.changes.next()
    expect(project.followed.config.servers.get('a')?.spec).toMatchObject({ env: { A: '2' } })
  })
})

/** A file that is followed, and what is heard of it, in turn. */
async function follow(servers: object) {
  const folder = await temporaryFolder()
  const path = join(folder.path, '.mcp.json')
  await writeFile(path, text(servers))
  const changes = new Heard<string[]>()
  const warnings = new Heard<string>()
  const followed = await FollowedConfig.open(path, {
    env: {},
    onChange: async (after: Config) => changes.push([...after.servers.keys()]),
    onWarn: (message) => warnings.push(message),
  })
  const close = async () => {
    followed[Symbol.dispose]()
    await folder[Symbol.asyncDispose]()
  }
  return { path, changes, warnings, followed, [Symbol.asyncDispose]: close }
}

function text(servers: object): string {
  return JSON.stringify({ mcpServers: servers })
}

class Heard<Item> {
  readonly #items: Item[] = []
  #wake: () => void = () => {}

  push(item: Item): void {
    this.#items.push(item)
    this.#wake()
  }

  async next(): Promise<Item> {
    for (;;) {
      const item = this.#items.shift()
      if (item !== undefined) return item
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
    }
  }
}
