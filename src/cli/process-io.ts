import { text } from 'node:stream/consumers'
import { isatty } from 'node:tty'
import { openUrl } from '../open-url.ts'
import { ExitCode } from './exit-codes.ts'
import { Interruption, type Io, type Sink, type Terminal } from './io.ts'

/** The real thing. Call it once: it listens for signals. */
export function processIo(): Io {
  const interrupt = interruptSignal()
  const left = new AbortController()
  // Whoever reads us may leave when it has seen enough (`| head`): no fault of anyone.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') giveUp(error)
    left.abort()
  })
  // There is nobody left to tell.
  process.stderr.on('error', () => {})
  return {
    out: sinkOf(process.stdout, left.signal),
    err: sinkOf(process.stderr),
    cwd: process.cwd(),
    env: process.env,
    interrupt,
    terminal: terminal(),
    readStdin: () => readUntil(interrupt),
    endSoon: () => setTimeout(() => process.exit(), lingerMs).unref(),
  }
}

/** Questions stand on stderr: stdout is for the answer. */
function terminal(): Terminal | undefined {
  if (!isatty(0) || !isatty(2)) return undefined
  return {
    // Not opened before somebody is asked.
    get input() {
      return process.stdin
    },
    get output() {
      return sized(process.stderr)
    },
    openUrl,
  }
}

/** Some terminals do not say how large they are. */
function sized(stream: NodeJS.WriteStream): NodeJS.WriteStream {
  stream.columns ||= 80
  stream.rows ||= 24
  return stream
}

function sinkOf(stream: NodeJS.WriteStream, left?: AbortSignal): Sink {
  return {
    left,
    isTerminal: stream.isTTY === true,
    get columns() {
      // Some terminals do not say.
      return stream.isTTY ? stream.columns || 80 : undefined
    },
    get rows() {
      return stream.isTTY ? stream.rows : undefined
    },
    write: (chunk) => void stream.write(chunk),
  }
}

/** The disk is full, mostly. Servers are ended on the way out. */
function giveUp({ message }: Error): void {
  process.stderr.write(`error: Cannot write the output: ${message}\n`)
  process.exit(ExitCode.usage)
}

function readUntil(interrupt: AbortSignal): Promise<string> {
  interrupt.addEventListener('abort', () => process.stdin.destroy(interrupt.reason), { once: true })
  return text(process.stdin)
}

/** Time for what is still on its way. */
const lingerMs = 2_000
const signals = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 }

/** The first signal asks for an orderly end; the second does not wait for it. */
function interruptSignal(): AbortSignal {
  const abort = new AbortController()
  for (const [name, number] of Object.entries(signals)) {
    process.on(name, () => {
      const interruption = new Interruption(name, number)
      if (abort.signal.aborted) process.exit(interruption.exitCode)
      abort.abort(interruption)
    })
  }
  return abort.signal
}
