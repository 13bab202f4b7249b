import { watch } from 'node:fs'
import { mkdir, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Config, ConfiguredServer } from '../../src/config/config.ts'
import { FollowedConfig } from '../../src/config/follow-config.ts'
import { TestClock } from '../../src/testing/index.ts'
import { Heard } from '../e2e/heard.ts'
import { temporaryFolder } from './harness.ts'

describe('a configuration that is followed', () => {
  it('is read again when its file is written, or another takes its place', async () => {
    await using project = await follow({ a: { command: 'a' } })
    await writeFile(project.path, text({ b: { command: 'b' } }))
    await project.changes.first(([name]) => name === 'b')
    await writeFile(`${project.path}.tmp`, text({ c: { command: 'c' } }))
    await rename(`${project.path}.tmp`, project.path)
    await project.changes.first(([name]) => name === 'c')
    expect([...project.followed.config.servers.keys()]).toEqual(['c'])
  })

  it('is read again when its file is a link, and the file it leads to is written', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, 'real.json')
    await writeFile(path, text({ a: { command: 'a' } }))
    await using project = await follow({}, path)
    await writeFile(path, text({ b: { command: 'b' } }))
    await project.changes.first(([name]) => name === 'b')
  })

  it('is read again when a link on the way to it comes to lead elsewhere, and goes on there', async () => {
    await using folder = await temporaryFolder()
    const at = (name: string) => join(folder.path, name)
    for (const name of ['one', 'two']) {
      await mkdir(at(name))
      await writeFile(join(at(name), 'real.json'), text({ [name]: { command: 'a' } }))
    }
    await symlink('one', at('current'))
    await using project = await follow({}, join(at('current'), 'real.json'))
    await symlink('two', at('next'))
    await rename(at('next'), at('current'))
    await project.changes.first(([name]) => name === 'two')
    await writeFile(join(at('two'), 'real.json'), text({ b: { command: 'b' } }))
    await project.changes.first(([name]) => name === 'b')
  })

  it('is read again when its folder went away and came back', async () => {
    await using folder = await temporaryFolder()
    const inner = join(folder.path, 'inner')
    await mkdir(inner)
    await writeFile(join(inner, 'real.json'), text({ a: { command: 'a' } }))
    await using project = await follow({}, join(inner, 'real.json'))
    await rm(inner, { recursive: true })
    await project.warnings.first((message) => message.includes('ENOENT'))
    await mkdir(inner)
    await writeFile(join(inner, 'real.json'), text({ b: { command: 'b' } }))
    await project.changes.first(([name]) => name === 'b')
  })

  it('stays as it was when the file becomes bad or goes away, says so, and goes on', async () => {
    await using project = await follow({ a: { command: 'a' } })
    await writeFile(project.path, '{ "mcpServers": ')
    const warning = await project.warnings.first((message) => message.includes('no valid JSON'))
    expect(warning).toMatch(/; what was configured before stays in force$/)
    await rm(project.path)
    await project.warnings.first((message) => message.includes('ENOENT'))
    expect([...project.followed.config.servers.keys()]).toEqual(['a'])
    await writeFile(project.path, text({ b: { command: 'b' } }))
    await project.changes.first(([name]) => name === 'b')
  })

  it('is read again when an envFile of it is written', async () => {
    await using project = await follow({})
    const envFile = join(project.path, '..', 'vars.env')
    await writeFile(envFile, 'A=1')
    await writeFile(project.path, text({ a: { command: 'a', envFile } }))
    await project.changes.first(([name]) => name === 'a')
    await writeFile(envFile, 'A=2')
    await project.configs.first(({ servers }) => variablesOf(servers.get('a'))?.A === '2')
  })

  it('is let go when it turns bad between the first look and the second', async () => {
    await using folder = await temporaryFolder()
    const path = join(folder.path, '.mcp.json')
    await writeFile(path, text({ a: { command: `\${COMMAND}` } }))
    const given = ['a']
    const env = {
      get COMMAND() {
        return given.shift()
      },
    }
    const clock = new TestClock()
    const opening = FollowedConfig.open(path, { env, clock, onChange: async () => {}, onWarn: () => {} })
    await expect(opening).rejects.toThrow('COMMAND')
    const written = new Heard<string | null>()
    const witness = watch(folder.path, (_, name) => written.hear(name))
    await writeFile(path, text({}))
    await written.first((name) => name === '.mcp.json')
    witness.close()
    expect(clock.pending).toBe(0)
  })
})

/** A file that is followed, and what is heard of it, in turn. */
async function follow(servers: object, target?: string) {
  const folder = await temporaryFolder()
  const path = join(folder.path, '.mcp.json')
  if (target === undefined) await writeFile(path, text(servers))
  else await symlink(target, path)
  const changes = new Heard<string[]>()
  const configs = new Heard<Config>()
  const warnings = new Heard<string>()
  const followed = await FollowedConfig.open(path, {
    env: {},
    onChange: async (after) => {
      changes.hear([...after.servers.keys()])
      configs.hear(after)
    },
    onWarn: (message) => warnings.hear(message),
  })
  const close = async () => {
    followed[Symbol.dispose]()
    await folder[Symbol.asyncDispose]()
  }
  return { path, changes, configs, warnings, followed, [Symbol.asyncDispose]: close }
}

function variablesOf(server: ConfiguredServer | undefined) {
  return server && 'command' in server.spec ? server.spec.env : undefined
}

function text(servers: object): string {
  return JSON.stringify({ mcpServers: servers })
}
