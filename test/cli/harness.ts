import { fileURLToPath } from 'node:url'
import { execa } from 'execa'
import { Interruption, type Io, type Sink } from '../../src/cli/io.ts'
import { run } from '../../src/cli/run.ts'

/** What a run left behind. */
export interface Outcome {
  readonly exitCode: number
  readonly out: string
  readonly err: string
  readonly bytes: Buffer
}

export interface Surroundings {
  /** Whether stdout and stderr are a terminal, 80 columns wide unless said otherwise. */
  readonly terminal?: boolean
  readonly columns?: number
  readonly env?: Io['env']
  /** Default: the root of this package, where no servers are configured. */
  readonly cwd?: string
  readonly stdin?: string
  /** Whoever answers `--ask`. */
  readonly person?: Io['terminal']
  readonly interrupt?: AbortSignal
  /** Sees all that is written to stdout. */
  readonly onWrite?: (text: string) => void
  /** The same of stderr. */
  readonly onError?: (text: string) => void
}

export const root = fileURLToPath(new URL('../../', import.meta.url))

/** The command line of a server, after the dashes. */
export function fixture(name: string, ...flags: string[]): string[] {
  return ['--', process.execPath, `${root}test/fixtures/servers/${name}.mjs`, ...flags]
}

export const everything = [
  '--',
  process.execPath,
  `${root}node_modules/@modelcontextprotocol/server-everything/dist/index.js`,
  'stdio',
]

export const filesystem = [
  '--',
  process.execPath,
  `${root}node_modules/@modelcontextprotocol/server-filesystem/dist/index.js`,
  `${root}test/cli`,
]

/** Runs a command line in this process; its server is real. */
export async function troupe(argv: readonly string[], around: Surroundings = {}): Promise<Outcome> {
  const out = new MemorySink(around)
  const err = new MemorySink({ ...around, onWrite: around.onError })
  const exitCode = await run(argv, {
    out,
    err,
    cwd: around.cwd ?? root,
    env: around.env ?? {},
    terminal: around.person,
    interrupt: around.interrupt ?? new AbortController().signal,
    readStdin: async () => around.stdin ?? '',
  })
  return { exitCode, out: out.text, err: err.text, bytes: out.bytes }
}

/** The program itself, as arguments of node; it wants `spawning`. */
export function program(argv: readonly string[]): string[] {
  return ['--import', 'tsx', '--import', './test/setup/tsx-in-threads.mjs', 'src/cli/main.ts', ...argv]
}

export const spawning = { cwd: root, reject: false, stdin: 'ignore' } as const

/** Starts the program, as a shell would. */
export function spawnTroupe(argv: readonly string[]) {
  return execa(process.execPath, program(argv), spawning)
}

/** The one document, or line, that is JSON. */
export function json(text: string): unknown {
  return JSON.parse(text)
}

export function interruption(): Interruption {
  return new Interruption('SIGINT', 2)
}

class MemorySink implements Sink {
  readonly isTerminal: boolean
  readonly columns: number | undefined
  readonly #chunks: Buffer[] = []
  readonly #onWrite: ((text: string) => void) | undefined

  constructor({ terminal = false, columns = 80, onWrite }: Surroundings) {
    this.#onWrite = onWrite
    this.isTerminal = terminal
    this.columns = terminal ? columns : undefined
  }

  write(chunk: string | Uint8Array): void {
    this.#chunks.push(Buffer.from(chunk))
    this.#onWrite?.(chunk.toString())
  }

  get bytes(): Buffer {
    return Buffer.concat(this.#chunks)
  }

  get text(): string {
    return this.bytes.toString()
  }
}
