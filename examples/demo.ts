/** The main job on real servers: configured, probed, called, asked, killed and restarted, and used by a model as one toolkit. `npm run demo` */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { McpClient, Registry, ServerGoneError } from 'mcp-troupe'
import { httpServer } from './http-server.ts'
import { runToolLoop } from './run-tool-loop.ts'
import { scriptedModel } from './scripted-model.ts'

const packages = createRequire(import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-demo-'))
await writeFile(join(folder, 'notes.txt'), 'Every connection is a machine.\n')
await writeFile(
  join(folder, '.mcp.json'),
  `{
  // As other hosts write it; what is under "troupe" is ours.
  "mcpServers": {
    "everything": ${server(packages.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio')},
    "files": ${server(packages.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), '.')},
    "modern": ${server(fileURLToPath(new URL('../test/fixtures/servers/modern.mjs', import.meta.url)))},
  },
}`,
)
const [webModern, webLegacy] = await Promise.all([
  httpServer('official-http-modern'),
  httpServer('official-http-legacy'),
])
const web = {
  'modern on HTTP': McpClient.connectHttp({ url: webModern.url('/modern') }),
  'legacy on HTTP': McpClient.connectHttp({ url: webLegacy.url('/mcp') }),
  'HTTP+SSE of 2024': McpClient.connectHttp({ url: webLegacy.url('/sse') }),
}

title('Three servers of one .mcp.json')
const registry = await Registry.fromConfig(join(folder, '.mcp.json'), {
  onElicit: ({ params }) => {
    say(`the server asks: ${String(params.message)}`)
    return { action: 'accept', content: { name: 'Ada' } }
  },
})
registry.on('child', ({ path, state, generation, failure }) =>
  say(`${path.join('.')}: ${state} (generation ${generation})${failure ? `: ${failure.message}` : ''}`),
)

try {
  const tools = await registry.toolsForLlm()
  say(`${tools.length} tools in all`)

  title('Which era does each server speak? One probe each, side by side')
  const servers = registry.providers.map(({ prefix, client }) => [prefix, client] as const)
  await Promise.all([...servers, ...Object.entries(web)].map(([name, client]) => showVerdict(name, client)))

  title('A call with progress')
  say(
    await call('everything_trigger-long-running-operation', { duration: 1.5, steps: 5 }, (progress, total) =>
      say(`${'█'.repeat(progress)}${'░'.repeat(total - progress)} ${progress}/${total}`),
    ),
  )

  title('A server that asks in mid-call: input_required, answered by a hook, retried')
  say(await call('modern_ask_name', {}))

  title('A server killed in mid-call, and restarted')
  const doomed = clientOf('everything')
  const error = await doomed
    .callTool(
      'trigger-long-running-operation',
      { duration: 60, steps: 60 },
      { onProgress: () => kill(doomed) },
    )
    .catch((reason: unknown) => reason)
  if (!(error instanceof ServerGoneError))
    throw new Error('the kill should have failed the call', { cause: error })
  say(`${error.name} ${error.code}: signal ${error.signal}, exit code ${error.exitCode}`)
  say(`its last words: ${error.stderrTail.join(' | ')}`)
  say(`the others go on: ${await call('modern_echo', { text: 'still here' })}`)
  say(`a call waits until it is up again: ${await call('everything_echo', { message: 'I am back' })}`)

  title('A tool loop over all of them; the model is scripted')
  const answer = await runToolLoop({
    tools: registry,
    question: 'What do my notes say, and how long is that?',
    model: scriptedModel([
      () => [['files_read_text_file', { path: 'notes.txt' }]],
      ([note = '']) => [
        ['modern_echo', { text: note.trim() }],
        ['everything_get-sum', { a: note.trim().length, b: 0 }],
      ],
      ([note, length]) => `They say: ${note} ${length}`,
    ]),
    onCall: ({ function: { name, arguments: args } }) => say(`→ ${name} ${args}`),
    onResult: ({ content }) => say(`← ${content.trim()}`),
  })
  say(answer)

  title('All of them stop, the last one first')
} finally {
  await registry.close()
  await Promise.all(Object.values(web).map((client) => client.close()))
  await Promise.all([webModern.stop(), webLegacy.stop(), rm(folder, { recursive: true })])
}

title('All closed; nothing is left running')

function server(script: string, ...args: readonly string[]): string {
  return JSON.stringify({
    command: process.execPath,
    args: [script, ...args],
    troupe: { backoff: { initialMs: 100 } },
  })
}

/** What a model would be told. */
async function call(
  name: string,
  args: { readonly [name: string]: unknown },
  onProgress?: (progress: number, total: number) => void,
): Promise<string> {
  const [result] = await registry.executeToolCalls([{ id: '1', function: { name, arguments: args } }], {
    onProgress: onProgress && (({ progress, total = 5 }) => onProgress(progress, total)),
  })
  if (!result || result.is_error) throw new Error(`${name} failed: ${result?.content}`)
  return result.content.trim()
}

/** The connection of a server as long as its process lives; after a restart it has another. */
function clientOf(prefix: string): McpClient {
  const client = registry.providers.find((provider) => provider.prefix === prefix)?.client
  if (!client) throw new Error(`${prefix} has no connection`)
  return client
}

async function showVerdict(name: string, client: McpClient | undefined): Promise<void> {
  if (!client) return
  const { verdict, protocolVersion, serverInfo, evidence } = await client.probeReport()
  const steps = evidence.map(
    ({ asked, afterMs, reason }) => `\n      asked ${asked}: ${reason} (${afterMs} ms)`,
  )
  say(`${name}: ${verdict} ${protocolVersion}, ${serverInfo?.name} ${serverInfo?.version}${steps.join('')}`)
}

function kill({ processId }: McpClient): void {
  if (processId === undefined) return
  say('killing it with SIGKILL …')
  process.kill(processId, 'SIGKILL')
}

function title(text: string): void {
  console.log(`\n${text}`)
}

function say(text: string): void {
  console.log(`  ${text}`)
}
