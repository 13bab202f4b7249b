import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { weather } from '../../examples/weather.ts'
import { McpServer } from '../../src/server/index.ts'
import { connect, pathOf, textOf } from '../e2e/harness.ts'
import { Asker } from '../server/dispatch/harness.ts'

function run(example: string, ...args: readonly string[]) {
  const program = ['--import', 'tsx', pathOf(`../../examples/${example}.ts`), ...args]
  // On a busy machine a program in TypeScript takes its time.
  return connect({ command: process.execPath, args: program, probeTimeoutMs: 60_000 }).client
}

it('echo says a text again, and backwards letter by letter', async () => {
  const client = run('echo')
  expect(textOf(await client.callTool('echo', { text: 'hé' }))).toBe('hé')
  expect(textOf(await client.callTool('reverse', { text: 'ab👩‍🚀e\u0301' }))).toBe('e\u0301👩‍🚀ba')
})

it('strawberry counts and spells', async () => {
  const client = run('strawberry')
  expect(await client.callTool('count_letter', { word: 'Strawberry', letter: 'R' })).toMatchObject({
    structuredContent: { count: 3, positions: [3, 8, 9] },
  })
  expect(await client.callTool('count_letter', { word: 'berry', letter: 'rr' })).toMatchObject({
    isError: true,
  })
  expect(textOf(await client.callTool('spell', { word: 'e\u0301te\u0301' }))).toBe('é-t-é')
})

it('the file server reads and lists a folder, and nobody leaves it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-files-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  await mkdir(join(folder, 'served/deep'), { recursive: true })
  await writeFile(join(folder, 'served/note.txt'), 'hello')
  await writeFile(join(folder, 'served/..odd'), 'odd')
  await writeFile(join(folder, 'secret.txt'), 'secret')
  await symlink('../secret.txt', join(folder, 'served/link.txt'))
  const client = run('file-server', join(folder, 'served'))
  expect(textOf(await client.callTool('file_list'))).toBe('..odd\ndeep/\nlink.txt\nnote.txt')
  expect(textOf(await client.callTool('file_read', { path: 'deep/../note.txt' }))).toBe('hello')
  expect(textOf(await client.callTool('file_read', { path: '..odd' }))).toBe('odd')
  for (const path of ['../secret.txt', 'link.txt', join(folder, 'secret.txt'), '..'])
    expect(await client.callTool('file_read', { path })).toMatchObject({
      isError: true,
      content: [{ text: `${path} is outside of the served folder` }],
    })
})

it('the weather server is a toolkit under its prefix', async () => {
  expect((await run('weather-server').listTools()).map(({ name }) => name)).toEqual(['weather_now'])
})

it('the weather is asked of a service, whichever it is', async () => {
  const asked: string[] = []
  const server = new McpServer({ name: 'weather' })
  const fetch: typeof globalThis.fetch = async (url) => {
    asked.push(String(url))
    return String(url).includes('Oslo') ? new Response('Oslo: ⛅ +7°C\n') : new Response('', { status: 503 })
  }
  server.plug(weather({ fetch, service: 'https://weather.example' }))
  const client = new Asker(server)
  const now = (city: string) => client.modern('tools/call', { name: 'weather_now', arguments: { city } })
  expect(await now('Oslo')).toMatchObject({ result: { content: [{ text: 'Oslo: ⛅ +7°C' }] } })
  expect(await now('a/b?c')).toMatchObject({
    result: { isError: true, content: [{ text: expect.stringContaining('weather of a/b?c: status 503') }] },
  })
  expect(asked.at(-1)).toBe('https://weather.example/a%2Fb%3Fc?format=3')
})
