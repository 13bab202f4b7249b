import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { type Results, readResults } from './results.ts'

export const refereeFolder = fileURLToPath(new URL('referee/', import.meta.url))

export interface RefereeRun {
  /** Undefined when it had to be killed. */
  readonly exitCode: number | undefined
  readonly output: string
  readonly results: Results
}

// The referee needs a newer Node than this package does, so it brings its own.
const node = join(refereeFolder, 'node_modules/node/bin/node')
const entry = join(refereeFolder, 'node_modules/@modelcontextprotocol/conformance/dist/index.js')
// A client that never ends would hang the referee for ever.
const deadlineMs = 180_000

/** Runs scenarios. What the referee leaves on disk is read and removed. */
export async function runReferee(args: readonly string[]): Promise<RefereeRun> {
  const folder = await mkdtemp(join(tmpdir(), 'mcp-troupe-conformance-'))
  try {
    const { exitCode, all } = await start([...args, '--output-dir', folder])
    const prefix = args[0] === 'server' ? 'server-' : ''
    return { exitCode, output: all, results: await readResults(folder, prefix) }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** What the referee answers to a question about itself. */
export async function askReferee(args: readonly string[]): Promise<string> {
  const { exitCode, all } = await start(args)
  if (exitCode !== 0) throw new Error(`the referee refused \`${args.join(' ')}\`:\n${all}`)
  return all
}

function start(args: readonly string[]) {
  return execa(node, [entry, ...args], {
    env: plainEnvironment(),
    extendEnv: false,
    all: true,
    reject: false,
    stdin: 'ignore',
    timeout: deadlineMs,
    killSignal: 'SIGKILL',
  })
}

// Node's own variables (options, extra certificates, coverage) are not meant for another version of Node, and slow every start.
function plainEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('NODE_')))
}
