import { Client as ModernClient } from '@modelcontextprotocol/client'
import { StdioClientTransport as ModernTransport } from '@modelcontextprotocol/client/stdio'
import { Client as LegacyClient } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as LegacyTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { describe, expect, it, onTestFinished } from 'vitest'
import { connect, pathOf, textOf } from '../../e2e/harness.ts'

const command = process.execPath
const args = ['--import', 'tsx', pathOf('../server/programs/kit.ts')]
const who = { name: 'tester', version: '1' }

/** What every client can do, by the names the official ones share. */
interface Caller {
  listTools(): Promise<{ tools: readonly { name: string }[] }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<unknown>
  listResources(): Promise<{ resources: readonly unknown[] }>
  listResourceTemplates(): Promise<{ resourceTemplates: readonly unknown[] }>
  readResource(params: { uri: string }): Promise<unknown>
  listPrompts(): Promise<{ prompts: readonly unknown[] }>
  getPrompt(params: { name: string; arguments: Record<string, string> }): Promise<unknown>
  complete(params: {
    ref: { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<unknown>
  close(): Promise<void>
}

const official: readonly (readonly [string, () => Promise<Caller>])[] = [
  ['2.4, which finds the era out', () => modern('auto')],
  ['2.4, pinned to the modern era', () => modern({ pin: '2026-07-28' })],
  ['2.4, in the legacy era', () => modern('legacy')],
  [
    '1.x',
    async () => {
      const client = new LegacyClient(who)
      await client.connect(new LegacyTransport({ command, args, stderr: 'ignore' }))
      return client as unknown as Caller
    },
  ],
]

async function modern(mode: 'auto' | 'legacy' | { pin: string }): Promise<Caller> {
  const client = new ModernClient(who, { versionNegotiation: { mode } } as never)
  await client.connect(new ModernTransport({ command, args, stderr: 'ignore' }))
  return client as unknown as Caller
}

describe('the official client', () => {
  it.each(official)('%s, uses every feature', async (_, open) => {
    const client = await open()
    onTestFinished(() => client.close())
    const { tools } = await client.listTools()
    expect(tools.map(({ name }) => name)).toContain('greet')
    expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
      content: [{ text: 'Hello, Ada!' }],
    })
    expect(await client.callTool({ name: 'sum', arguments: { a: '2' } })).toMatchObject({
      structuredContent: { sum: 3 },
    })
    expect(await client.callTool({ name: 'blocks' })).toMatchObject({ content: { length: 5 } })
    expect(await client.callTool({ name: 'throws' })).toMatchObject({ isError: true })
    await expect(client.callTool({ name: 'none' })).rejects.toMatchObject({ code: -32602 })
    expect((await client.listResources()).resources).toHaveLength(2)
    expect((await client.listResourceTemplates()).resourceTemplates).toHaveLength(1)
    expect(await client.readResource({ uri: 'kit://bytes' })).toMatchObject({ contents: [{ blob: 'aGk=' }] })
    expect((await client.listPrompts()).prompts).toHaveLength(1)
    expect(await client.getPrompt({ name: 'review', arguments: { code: 'x' } })).toMatchObject({
      messages: [{ content: { text: 'Review in plain: x' } }],
    })
    const ref = { type: 'ref/prompt', name: 'review' } as const
    expect(await client.complete({ ref, argument: { name: 'style', value: 's' } })).toMatchObject({
      completion: { values: ['s-'] },
    })
  })
})

describe('our client', () => {
  it.each(['modern', 'legacy'] as const)('in the %s era uses every feature', async (era) => {
    const logged: unknown[] = []
    const { client, stderr } = connect({
      // On a busy machine a program in TypeScript takes its time.
      probeTimeoutMs: 60_000,
      command,
      args,
      era,
      logLevel: 'info',
      onLog: (message) => logged.push(message),
    })
    expect(await client.era()).toBe(era)
    expect(await client.serverInfo()).toMatchObject({ name: 'kit', version: '1.2.3' })
    expect(await client.instructions()).toBe('A server to test with.')
    expect((await client.listTools()).length).toBeGreaterThan(10)
    expect(textOf(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello, Ada!')
    const reports: unknown[] = []
    await client.callTool('count', { to: 2 }, { onProgress: (report) => reports.push(report) })
    expect(reports).toHaveLength(2)
    expect(logged).toEqual([1, 2].map((step) => ({ level: 'info', logger: 'kit', data: { step } })))
    expect(await stderr.first((line) => line.includes('deep down'))).toBe('kit debug: deep down')
    expect(await client.listResources()).toHaveLength(2)
    expect(await client.readResource('kit://items/7')).toMatchObject({ contents: [{ text: '{"id":"7"}' }] })
    expect(await client.getPrompt('review', { code: 'x' })).toHaveProperty('messages')
    expect(
      await client.complete({ type: 'ref/prompt', name: 'review' }, { name: 'style', value: 's' }),
    ).toMatchObject({
      values: ['s-'],
    })
  })
})
