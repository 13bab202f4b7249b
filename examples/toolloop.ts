/** A model that uses two servers and a toolkit of this process as one, and cannot tell them apart. Scripted: it costs nothing, and prints the same every time. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Provider, Registry } from 'mcp-troupe'
import { runToolLoop } from './run-tool-loop.ts'
import { scriptedModel } from './scripted-model.ts'

const packages = createRequire(import.meta.url)
const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-toolloop-'))
await writeFile(join(folder, 'monday.txt'), '3 apples\n')
await writeFile(join(folder, 'tuesday.txt'), '4 pears\n')

// 1. A toolkit in this process: two methods are all it takes.
const calendar: Provider = {
  toolsForLlm: async () => [
    {
      type: 'function',
      function: { name: 'today', description: 'The date.', parameters: { type: 'object', properties: {} } },
    },
  ],
  executeToolCalls: async (calls) =>
    calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '2026-07-28', is_error: false })),
}

// 2. Servers on the other side of a pipe, 3. and one namespace over all.
const registry = new Registry()
registry.add(calendar, { prefix: 'calendar' })
registry.add(
  {
    command: process.execPath,
    args: [packages.resolve('@modelcontextprotocol/server-filesystem/dist/index.js'), folder],
    cwd: folder,
  },
  { prefix: 'fs', allow: ['list_directory', 'read_text_file', 'write_file'] },
)
registry.add(
  {
    command: process.execPath,
    args: [packages.resolve('@modelcontextprotocol/server-everything/dist/index.js'), 'stdio'],
  },
  { prefix: 'everything', allow: ['get-sum', 'echo'] },
)

// 4. A model that cannot tell them apart.
const model = scriptedModel([
  () => [
    ['fs_list_directory', { path: '.' }],
    ['calendar_today', {}],
  ],
  ([listing = '']) => filesIn(listing).map((name) => ['fs_read_text_file', { path: name }]),
  (texts) => [['everything_sum', sum(texts)]],
  // It got the name wrong, reads what there is, and tries again.
  () => [['everything_get-sum', { a: 3, b: 4 }]],
  ([total = '']) => [['fs_write_file', { path: 'total.txt', content: total }]],
  () => [['fs_read_text_file', { path: 'total.txt' }]],
  ([total = '']) => `It is written down: ${total}`,
])

try {
  const tools = await registry.toolsForLlm()
  console.log(`tools: ${tools.map((tool) => tool.function.name).join(', ')}\n`)
  const question = 'How many pieces of fruit did we buy? Write it down.'
  console.log(`user: ${question}`)
  const answer = await runToolLoop({
    model,
    tools: registry,
    question,
    onCall: ({ function: { name, arguments: args } }) => console.log(`→ ${name} ${args}`),
    onResult: ({ content, is_error }) => console.log(`← ${is_error ? 'error: ' : ''}${shown(content)}`),
  })
  console.log(`assistant: ${answer}`)
} finally {
  await registry.close()
  await rm(folder, { recursive: true })
}

function filesIn(listing: string): readonly string[] {
  return [...listing.matchAll(/\[FILE\] (\S+)/g)].map(([, name = '']) => name).sort()
}

function sum([first = '', second = '']: readonly string[]): { a: number; b: number } {
  return { a: Number.parseInt(first, 10), b: Number.parseInt(second, 10) }
}

/** The folder has another name each time. */
function shown(content: string): string {
  return content.trim().replaceAll(folder, '.').replaceAll('\n', ' | ')
}
