import { once } from 'node:events'
import { execa } from 'execa'
import { expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../src/index.ts'
import { pathOf, textOf } from '../e2e/harness.ts'

const args = ['--import', 'tsx', pathOf('../../examples/greeter.ts')]
const onElicit = () => ({ action: 'accept' as const, content: { guests: 4 } })

async function use(client: McpClient): Promise<void> {
  onTestFinished(() => client.close())
  expect(textOf(await client.callTool('greet', { name: 'Ada' }))).toBe('Hello, Ada!')
  expect(textOf(await client.callTool('book'))).toBe('Booked for 4.')
  expect(await client.readResource('greeter://hours')).toMatchObject({
    contents: [{ text: 'Noon to midnight' }],
  })
}

it.each(['modern', 'legacy'] as const)('the greeter serves a %s client on stdio', async (era) => {
  // On a busy machine a program in TypeScript takes its time.
  const patience = { probeTimeoutMs: 60_000 }
  await use(McpClient.connectStdio({ command: process.execPath, args, era, onElicit, ...patience }))
})

it.each(['modern', 'legacy'] as const)('the greeter serves a %s client at a URL', async (era) => {
  const server = execa(process.execPath, [...args, '--http'], { reject: false })
  onTestFinished(async () => {
    server.kill()
    await server
  })
  const [line] = await once(server.stdout, 'data')
  await use(McpClient.connectHttp({ url: String(line).trim(), era, onElicit, hosting: 'inline' }))
})
