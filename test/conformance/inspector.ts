import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'

export const inspectorFolder = fileURLToPath(new URL('inspector/', import.meta.url))

// It needs a newer Node than this package does, so it brings its own.
const node = join(inspectorFolder, 'node_modules/node/bin/node')
const entry = join(
  inspectorFolder,
  'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

/** What the MCP Inspector's command line says of a server, which is described as in its configuration files. */
export async function inspect(
  server: JsonObject,
  method: string,
  ...flags: readonly string[]
): Promise<unknown> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-inspector-'))
  try {
    const config = join(folder, 'servers.json')
    await writeFile(config, JSON.stringify({ mcpServers: { one: server } }))
    const { stdout } = await execa(
      node,
      [entry, '--cli', '--config', config, '--server', 'one', '--method', method, ...flags],
      {
        // Nothing of the person who runs this is read or written, and no variables of another Node.
        env: { PATH: process.env.PATH, HOME: folder, MCP_INSPECTOR_SECRET_STORE: 'memory' },
        extendEnv: false,
        stdin: 'ignore',
        timeout: 60_000,
        killSignal: 'SIGKILL',
      },
    )
    return JSON.parse(stdout)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
