import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { ChildEvent } from '../../../src/bridge/provider.ts'
import type { Config } from '../../../src/config/config.ts'
import { FollowedConfig } from '../../../src/config/follow-config.ts'
import { type FromConfigOptions, type ProviderStatus, Registry } from '../../../src/index.ts'
import { Heard } from '../../e2e/heard.ts'

let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-configured-'))
  path = join(folder, '.mcp.json')
})

afterEach(() => rm(folder, { recursive: true }))

describe('a registry of configured servers', () => {
  it('publishes them under their names, as they are configured', async () => {
    const mcpServers = {
      modern: fixture('modern', { allow: ['echo'] }),
      other: fixture('echo', { prefix: 'e', allow: ['echo'], start: 'lazy' }),
      off: { command: 'nothing', disabled: true },
    }
    await using registry = await Registry.fromConfig({ mcpServers })
    expect(registry.providers.map(({ prefix, state }) => [prefix, state])).toEqual([
      ['modern', 'starting'],
      ['e', 'stopped'],
    ])
    const tools = await registry.toolsForLlm()
    expect(tools.map((tool) => tool.function.name)).toEqual(['modern_echo', 'e_echo'])
    const [result] = await registry.executeToolCalls([
      { id: '1', function: { name: 'e_echo', arguments: { text: 'hi' } } },
    ])
    expect(result).toMatchObject({ content: 'hi', is_error: false })
  })

  it('fills in variables of the environment it is given, and tells of what it passed over', async () => {
    const warnings: string[] = []
    const mcpServers = { one: { ...fixture('modern'), command: `\${NODE}`, timeout: 5 } }
    await using registry = await Registry.fromConfig(
      { mcpServers },
      { env: { NODE: process.execPath }, onWarn: (message) => warnings.push(message) },
    )
    expect(await registry.toolsForLlm()).not.toEqual([])
    expect(warnings).toEqual(['mcpServers.one.timeout: is not known here and was passed over'])
  })

  it('is none when the configuration is bad: nothing was started', async () => {
    const mcpServers = { one: fixture('modern'), two: { command: 'x', args: 'y' } }
    await expect(Registry.fromConfig({ mcpServers })).rejects.toMatchObject({
      name: 'ConfigError',
      path: ['mcpServers', 'two', 'args'],
    })
  })
})

describe('a registry that follows its file', () => {
  it('starts, stops and replaces what changed there, and leaves the others alone', async () => {
    await configure({
      same: fixture('modern'),
      gone: fixture('modern'),
      changed: fixture('echo'),
      moved: fixture('echo', { prefix: 'a' }),
    })
    const children = new Heard<ChildEvent>()
    await using registry = await follow(children)
    await up(registry, children, ['same', 'gone', 'changed', 'a'])
    const same = statusOf(registry, 'same')
    await configure({
      added: fixture('echo', { prefix: 'gone' }),
      same: fixture('modern'),
      changed: fixture('modern'),
      moved: fixture('echo', { prefix: 'b' }),
    })
    await children.first(({ path: [prefix], state }) => prefix === 'b' && state === 'up')
    await up(registry, children, ['same', 'changed', 'b', 'gone'])
    expect(registry.providers.map(({ prefix }) => prefix).sort()).toEqual(['b', 'changed', 'gone', 'same'])
    expect(statusOf(registry, 'same')?.client).toBe(same?.client)
    const names = (await registry.toolsForLlm()).map((tool) => tool.function.name)
    expect(names).toContain('changed_crash')
  })

  it('goes on as it was when the file becomes bad, and says why', async () => {
    await configure({ one: fixture('modern') })
    const warnings = new Heard<string>()
    await using registry = await follow(new Heard<ChildEvent>(), warnings)
    await writeFile(path, '{"mcpServers": {"one": {"command": 5}}}')
    const warning = await warnings.first((message) => message.startsWith('mcpServers.one.command: '))
    expect(warning).toMatch(/not 5 \(.*\.mcp\.json:1:36\); what was configured before stays in force$/)
    expect((await registry.toolsForLlm()).length).toBeGreaterThan(0)
  })

  it('goes along with its file also when onConfig throws, and says so', async () => {
    await configure({})
    const warnings = new Heard<string>()
    const onConfig = ({ servers }: Config) => {
      if (servers.size > 0) fail()
    }
    await using registry = await Registry.fromConfig(path, { watch: true, onConfig, onWarn: warnings.hear })
    await configure({ one: fixture('modern', { start: 'lazy' }) })
    expect(await warnings.first(() => true)).toBe('a fault of the host')
    expect(registry.providers.map(({ prefix }) => prefix)).toEqual(['one'])
  })

  it.each<[string, FromConfigOptions]>([
    ['onConfig throws', { onConfig: fail }],
    ['what is asked about a server throws', { elicitFor: fail }],
    ['a server is refused', { elicitFor: () => 'onElicit' as never }],
  ])('follows it no longer when it could not be filled: %s', async (_, options) => {
    const server = { ...fixture('modern', { start: 'lazy' }), command: `\${NODE}` }
    await configure({ one: server })
    let reads = 0
    const env = {
      get NODE() {
        reads += 1
        return process.execPath
      },
    }
    await expect(Registry.fromConfig(path, { ...options, watch: true, env })).rejects.toThrow(
      /fault|onElicit/,
    )
    const readsBefore = reads
    const written = new Heard<string>()
    const onChange = async ({ servers }: Config) => [...servers.keys()].forEach(written.hear)
    using _witness = await FollowedConfig.open(path, {
      env: { NODE: 'node' },
      onChange,
      onWarn: written.hear,
    })
    for (const name of ['two', 'three']) {
      await configure({ [name]: server })
      await written.first((heard) => heard === name)
    }
    expect(reads).toBe(readsBefore)
  })
})

function fail(): never {
  throw new Error('a fault of the host')
}

async function follow(children: Heard<ChildEvent>, warnings = new Heard<string>()): Promise<Registry> {
  const registry = await Registry.fromConfig(path, { watch: true, onWarn: warnings.hear })
  registry.on('child', children.hear)
  return registry
}

/** Resolves when all of them are up. */
async function up(
  registry: Registry,
  children: Heard<ChildEvent>,
  prefixes: readonly string[],
): Promise<void> {
  for (const prefix of prefixes) {
    const isUp = () => statusOf(registry, prefix)?.state === 'up'
    if (!isUp()) await children.first((event) => event.path[0] === prefix && event.state === 'up' && isUp())
  }
}

function statusOf(registry: Registry, prefix: string): ProviderStatus | undefined {
  return registry.providers.find((status) => status.prefix === prefix)
}

function fixture(name: string, troupe: object = {}): object {
  const script = fileURLToPath(new URL(`../../fixtures/servers/${name}.mjs`, import.meta.url))
  return { command: process.execPath, args: [script], troupe }
}

/** As an editor saves it: at once. */
async function configure(mcpServers: object): Promise<void> {
  await writeFile(path, JSON.stringify({ mcpServers }))
}
