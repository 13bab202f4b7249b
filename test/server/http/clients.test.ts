import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { expect, it, onTestFinished } from 'vitest'
import { McpClient } from '../../../src/index.ts'
import { webHandler } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'
import { serve } from './harness.ts'

it.each(['auto', { pin: '2026-07-28' }])('serves the official client, mode %o', async (mode) => {
  const { url } = await serve(kit())
  const client = new Client({ name: 'tester', version: '1' }, { versionNegotiation: { mode } } as never)
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  onTestFinished(() => client.close())
  expect((await client.listTools()).tools.length).toBeGreaterThan(10)
  expect(await client.callTool({ name: 'sum', arguments: { a: '2' } })).toMatchObject({
    structuredContent: { sum: 3 },
  })
  expect(await client.readResource({ uri: 'kit://bytes' })).toMatchObject({ contents: [{ blob: 'aGk=' }] })
  expect(await client.getPrompt({ name: 'review', arguments: { code: 'x' } })).toHaveProperty('messages')
})

it('serves our client', async () => {
  const { url } = await serve(kit())
  const client = McpClient.connectHttp({ url, hosting: 'inline', logLevel: 'info' })
  onTestFinished(() => client.close())
  expect(await client.era()).toBe('modern')
  const reports: unknown[] = []
  await client.callTool('count', { to: 3 }, { onProgress: (report) => reports.push(report) })
  expect(reports).toHaveLength(3)
  expect(await client.listResources()).toHaveLength(2)
})

it('serves the official client through web-standard requests', async () => {
  const handle = webHandler(kit())
  const fetch = (url: string | URL, init?: RequestInit) => handle(new Request(url, init))
  const client = new Client({ name: 'tester', version: '1' }, {
    versionNegotiation: { mode: 'auto' },
  } as never)
  await client.connect(new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), { fetch }))
  onTestFinished(() => client.close())
  expect(await client.callTool({ name: 'greet', arguments: { name: 'Ada' } })).toMatchObject({
    content: [{ text: 'Hello, Ada!' }],
  })
  const onprogress = (report: { progress: number }) => reports.push(report.progress)
  const reports: number[] = []
  await client.callTool({ name: 'count', arguments: { to: 2 } }, { onprogress })
  expect(reports).toEqual([1, 2])
})
