/** The main job on real servers: on stdio and on URLs, of either era, side by side: probed, called, asked, killed and answered for. `npm run demo` */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { McpClient, ServerGoneError } from 'mcp-troupe'
import { httpServer } from './http-server.ts'

const packages = createRequire(import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-demo-'))
await writeFile(join(folder, 'notes.txt'), 'Every connection is a machine.\n')

const everything = node([packages.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'])
const filesystem = node([packages.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder])
const modern = node([fileURLToPath(new URL('../test/fixtures/servers/modern.mjs', import.meta.url))])
const [webModern, webLegacy] = await Promise.all([
  httpServer('official-http-modern'),
  httpServer('official-http-legacy'),
])
const servers = {
  everything,
  filesystem,
  modern,
  'modern on HTTP': McpClient.connectHttp({ url: webModern.url('/modern') }),
  'legacy on HTTP': McpClient.connectHttp({ url: webLegacy.url('/mcp') }),
  'HTTP+SSE of 2024': McpClient.connectHttp({ url: webLegacy.url('/sse') }),
}

try {
  title('Which era does each server speak? One probe each, side by side')
  await Promise.all(Object.entries(servers).map(([name, server]) => showVerdict(name, server)))

  title('A call on each')
  const tools = await Promise.all(Object.values(servers).map((server) => server.listTools()))
  say(`${tools.flat().length} tools in all`)
  const read = await filesystem.callTool('read_text_file', { path: join(folder, 'notes.txt') })
  say(`filesystem read_text_file: ${textOf(read)}`)
  say(
    `modern     echo             ${textOf(await modern.callTool('echo', { text: 'no handshake, no session' }))}`,
  )

  title('A call with progress')
  const work = await everything.callTool(
    'trigger-long-running-operation',
    { duration: 1.5, steps: 5 },
    {
      onProgress: ({ progress, total = 5 }) =>
        say(`${'█'.repeat(progress)}${'░'.repeat(total - progress)} ${progress}/${total}`),
    },
  )
  say(textOf(work))

  title('A server that asks in mid-call: input_required, answered by a hook, retried')
  say(textOf(await modern.callTool('ask_name')))

  title('A server killed in mid-call')
  const doomed = everything.callTool(
    'trigger-long-running-operation',
    { duration: 60, steps: 60 },
    { onProgress: kill },
  )
  const error = await doomed.catch((reason: unknown) => reason)
  if (!(error instanceof ServerGoneError))
    throw new Error('the kill should have failed the call', { cause: error })
  say(`${error.name} ${error.code}: signal ${error.signal}, exit code ${error.exitCode}`)
  say(`its last words: ${error.stderrTail.join(' | ')}`)
  say(`the others go on: ${textOf(await modern.callTool('echo', { text: 'still here' }))}`)
} finally {
  await Promise.all(Object.values(servers).map((server) => server.close()))
  await Promise.all([webModern.stop(), webLegacy.stop(), rm(folder, { recursive: true })])
}

title('All closed; nothing is left running')

function node(args: string[]): McpClient {
  return McpClient.connectStdio({
    command: process.execPath,
    args,
    onElicit: ({ params }) => {
      say(`the server asks: ${String(params.message)}`)
      return { action: 'accept', content: { name: 'Ada' } }
    },
  })
}

async function showVerdict(name: string, server: McpClient): Promise<void> {
  const { verdict, protocolVersion, serverInfo, evidence } = await server.probeReport()
  const steps = evidence.map(
    ({ asked, afterMs, reason }) => `\n      asked ${asked}: ${reason} (${afterMs} ms)`,
  )
  say(`${name}: ${verdict} ${protocolVersion}, ${serverInfo?.name} ${serverInfo?.version}${steps.join('')}`)
}

function kill(): void {
  say('killing it with SIGKILL …')
  if (everything.processId) process.kill(everything.processId, 'SIGKILL')
}

function textOf(result: Awaited<ReturnType<McpClient['callTool']>>): string {
  return result.content
    .map((block) => (block.type === 'text' ? block.text.trim() : `[${block.type}]`))
    .join(' ')
}

function title(text: string): void {
  console.log(`\n${text}`)
}

function say(text: string): void {
  console.log(`  ${text}`)
}
