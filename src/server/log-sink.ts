import type { LoggingLevel, LogMessage } from '../protocol/logging.ts'

/** Where every log line of a server's handlers goes, whoever else hears of it. */
export interface LogSink {
  readonly logger: string
  /** What a handler says. Throws what the author's `onLog` throws: the handler hears of it. */
  write(level: LoggingLevel, data: unknown): void
  /** What the server says itself, where nobody would catch what `onLog` throws: then it goes to stderr. */
  report(level: LoggingLevel, message: string): void
}

/** stderr, unless the author wants the messages. */
export function logSink(logger: string, onLog: ((message: LogMessage) => void) | undefined): LogSink {
  const toStderr = (level: LoggingLevel, data: unknown) => {
    process.stderr.write(`${logger} ${level}: ${lineOf(data)}\n`)
  }
  if (!onLog) return { logger, write: toStderr, report: toStderr }
  const write = (level: LoggingLevel, data: unknown) => onLog({ level, logger, data })
  const report = (level: LoggingLevel, message: string) => {
    try {
      write(level, message)
    } catch {
      toStderr(level, message)
    }
  }
  return { logger, write, report }
}

function lineOf(data: unknown): string {
  if (typeof data === 'string') return data
  try {
    return JSON.stringify(data) ?? String(data)
  } catch {
    return '[data that cannot be written as JSON]'
  }
}
