/** Tools in a group, and a folder nobody leaves: `npx tsx examples/file-server.ts FOLDER` on stdio. */
import { readdir, readFile, realpath } from 'node:fs/promises'
import { isAbsolute, relative, resolve } from 'node:path'
import process from 'node:process'
import { McpServer, serveStdio } from 'mcp-troupe/server'

const root = await realpath(process.argv[2] ?? '.')
const server = new McpServer({ name: 'files', version: '1.0.0' })
const path = { type: 'string', description: 'Below the served folder' } as const
const annotations = { readOnlyHint: true, idempotentHint: true }

server.group('file', (file) => {
  file.tool(
    'read',
    { description: 'The text of a file', params: { path: { ...path, required: true } }, annotations },
    async ({ path }) => readFile(await inside(path), 'utf8'),
  )
  file.tool(
    'list',
    { description: 'What a folder has, folders with a slash', params: { path }, annotations },
    async ({ path = '.' }) => {
      const entries = await readdir(await inside(path), { withFileTypes: true })
      return entries
        .map((entry) => (entry.isDirectory() ? `${entry.name}/` : entry.name))
        .sort()
        .join('\n')
    },
  )
})

await serveStdio(server)

/**
 * Where a path leads, links followed. Enough for a folder that only its owner changes; the FileSystem toolkit is safe where others swap
 * links meanwhile.
 */
async function inside(path: string): Promise<string> {
  const target = await realpath(resolve(root, path))
  const below = relative(root, target)
  if (/^\.\.([/\\]|$)/.test(below) || isAbsolute(below))
    throw new Error(`${path} is outside of the served folder`)
  return target
}
