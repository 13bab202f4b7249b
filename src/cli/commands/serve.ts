import { resolve } from 'node:path'
import { isLoopback } from '../../loopback.ts'
import { loadServer } from '../../server/config/load-server.ts'
import type { HttpSection } from '../../server/config/read-http.ts'
import { serveHttp } from '../../server/http/serve-http.ts'
import { McpServer } from '../../server/server.ts'
import { reserveStdout } from '../../server/stdio/reserve-stdout.ts'
import { serveStdio } from '../../server/stdio/serve-stdio.ts'
import { plugNamed } from '../../server/toolkits/load-toolkits.ts'
import type { CommandModule } from '../commands.ts'
import { ExitCode } from '../exit-codes.ts'
import type { Invocation } from '../invocation.ts'
import type { Io } from '../io.ts'
import { portOf } from '../port-of.ts'
import { catalogueOf } from '../serve/catalogue.ts'
import { httpOptions } from '../serve/http-options.ts'
import { readToolSpec } from '../serve/tool-spec.ts'
import { untilAborted } from '../until-aborted.ts'
import { UsageError } from '../usage-error.ts'

export const serve: CommandModule = {
  needsServer: false,
  notes: `A toolkit is FileSystem or Shell, which are built in, or a module: a package
that is installed here, or a path. troupe describe shows how it is configured;
"prefix" among that is the prefix it goes by. The file of --config:
  {"name": "my-tools", "tools": {"FileSystem": {"root": "docs"}},
   "http": {"port": 8080}}
What the command line says wins over the file; toolkits, origins and hosts of
both are taken. Without HTTP stdout carries the protocol, and nothing else.`,
  examples: [
    `troupe serve --tool 'FileSystem={"root": "docs"}' --tool ./my-toolkit.js`,
    'troupe serve --tool some-package --http 8080 --legacy',
    'troupe serve --config server.json --http 0',
  ],
  define: (command) =>
    command
      .option(
        '--tool <spec>',
        'a toolkit: NAME, or NAME={"key": …} with its configuration; may be repeated',
        more,
      )
      .option('--config <file>', 'a file that describes the server')
      .option('--name <name>', 'what the server calls itself (default: troupe)')
      .option('--version <version>', 'the version it gives itself (default: 1.0.0)')
      .option('--instructions <text>', 'advice to the model that will use it')
      .option('--http <port>', 'serve over HTTP, at this port; 0 picks one', portOf('--http'))
      .option('--host <address>', 'where to listen (default: 127.0.0.1)')
      .option('--http-path <path>', 'the path of its URL (default: mcp)')
      .option('--allow-origin <origin>', 'let pages of that origin in; may be repeated', more)
      .option('--allow-host <name>', 'answer to that name too; may be repeated', more)
      .option('--legacy', 'serve clients of the legacy era too, over HTTP'),
  async run(invocation) {
    const { io } = invocation
    // From before the first toolkit is loaded: whatever it prints is no message.
    const stdout = reserveStdout()
    try {
      const { server, http } = await assemble(invocation)
      await (http ? overHttp(server, http, io) : overStdio(server, io))
      await server.close()
    } finally {
      stdout.release()
      io.endSoon?.()
    }
    return ExitCode.ok
  },
}

async function assemble({ io, options }: Invocation) {
  const { config, tool: specs = [], name, version, instructions } = options
  if (config === undefined && specs.length === 0)
    throw new UsageError(
      'What should be served? --tool names a toolkit, --config a file that describes a server.',
    )
  const { server, http } =
    config === undefined
      ? { server: new McpServer({ name: name ?? 'troupe', version, instructions }), http: undefined }
      : await loadServer(resolve(io.cwd, config), { name, version, instructions, env: io.env })
  for (const text of specs) {
    const spec = readToolSpec(text, '--tool')
    await plugNamed(server, spec.name, spec.config ?? {}, io.cwd, spec.place)
  }
  return { server, http: httpOptions(options, http) }
}

async function overStdio(server: McpServer, io: Io): Promise<void> {
  await announce(server, 'on stdin and stdout', io)
  await serveStdio(server, { signal: io.interrupt })
}

async function overHttp(server: McpServer, http: HttpSection, io: Io): Promise<void> {
  const serving = await serveHttp(server, http)
  await announce(server, `at ${serving.url}`, io)
  if (http.host !== undefined && !isLoopback(http.host)) io.err.write(`warning: ${openToAll}\n`)
  await untilAborted(io.interrupt)
  await serving.close()
}

async function announce(server: McpServer, where: string, io: Io): Promise<void> {
  const { tools, prompts, resources, resourceTemplates } = await catalogueOf(server)
  const counts = [
    counted(tools.length, 'tool'),
    ...(prompts.length > 0 ? [counted(prompts.length, 'prompt')] : []),
    ...(resources.length > 0 ? [counted(resources.length, 'resource')] : []),
    ...(resourceTemplates.length > 0 ? [counted(resourceTemplates.length, 'resource template')] : []),
  ]
  io.err.write(`serving ${where}: ${counts.join(', ')}\n`)
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}

const openToAll =
  'whoever reaches this address can call every tool, and is not encrypted; put a proxy before it that sees to both'

/** Of an option that may be repeated. */
function more(value: string, before: readonly string[] = []): readonly string[] {
  return [...before, value]
}
