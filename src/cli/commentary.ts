import type { StdioClientOptions } from '../client/options.ts'
import type { LogMessage } from '../protocol/logging.ts'
import type { Progress } from '../protocol/progress.ts'
import type { Invocation } from './invocation.ts'
import { StatusLine } from './status-line.ts'
import { jsonText } from './text/json-text.ts'
import { oneLine, printable } from './text/printable.ts'
import { progressLine } from './text/progress-line.ts'
import { type Style, styleFor } from './text/style.ts'

/** All that is said on stderr while a command runs: messages and warnings when asked for, log lines, progress. */
export class Commentary {
  /** What the client reports to it. */
  readonly listeners: Pick<StdioClientOptions, 'onTrace' | 'onStderr' | 'onWarn' | 'onLog'>
  readonly #invocation: Invocation
  readonly #style: Style
  readonly #status: StatusLine

  constructor(invocation: Invocation) {
    const { io, options } = invocation
    const style = styleFor(io.err, io.env)
    this.#invocation = invocation
    this.#style = style
    this.#status = new StatusLine(io.err)
    this.listeners = {
      ...(options.verbose && {
        onTrace: ({ direction, atMs, text }) => {
          const arrow = direction === 'sent' ? style.cyan('→') : style.green('←')
          this.#write(`${style.dim(`${Math.round(atMs)} ms`.padStart(9))} ${arrow} ${printable(text)}`)
        },
        onStderr: (line) => this.#write(`${style.dim('   server |')} ${printable(line)}`),
        onWarn: (message) => this.#write(`${style.yellow('warning:')} ${printable(message)}`),
      }),
      ...(options.logLevel && { onLog: (message) => this.#write(logLine(message, style)) }),
    }
  }

  /** A bar on a terminal; lines when everything is to be seen; else nothing. */
  progress(report: Progress): void {
    const { io, options } = this.#invocation
    if (io.err.isTerminal && !options.json)
      this.#status.show(progressLine(report, io.err.columns ?? 80, this.#style))
    else if (options.verbose) {
      const { progress, total, message } = report
      const counts = total === undefined ? `${progress}` : `${progress}/${total}`
      this.#write(`progress: ${counts} ${printable(message ?? '')}`.trimEnd())
    }
  }

  /** A remark for a person at a terminal, which is no part of the output. */
  remark(text: string): void {
    const { io, options } = this.#invocation
    if (io.err.isTerminal && !options.json) this.#write(this.#style.dim(oneLine(text)))
  }

  /** Takes the bar away. */
  end(): void {
    this.#status.end()
  }

  #write(line: string): void {
    this.#status.write(line)
  }
}

function logLine({ level, logger, data }: LogMessage, style: Style): string {
  const text = typeof data === 'string' ? printable(data) : jsonText(data)
  const source = logger === undefined ? '' : ` ${oneLine(logger)}`
  return `${style.yellow(`[${level}]`)}${style.dim(source)} ${text}`
}
