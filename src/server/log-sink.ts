import type { LoggingLevel, LogMessage } from '../protocol/logging.ts'

/** Where every log line of a server's handlers goes, whoever else hears of it. */
export interface LogSink {
  readonly logger: string
  write(level: LoggingLevel, data: unknown): void
}

/** stderr, unless the author wants the messages. */
export function logSink(logger: string, onLog: ((message: LogMessage) => void) | undefined): LogSink {
  const write = onLog
    ? (level: LoggingLevel, data: unknown) => onLog({ level, logger, data })
    : (level: LoggingLevel, data: unknown) => process.stderr.write(`${logger} ${level}: ${lineOf(data)}\n`)
  return { logger, write }
}

function lineOf(data: unknown): string {
  if (typeof data === 'string') return data
  try {
    return JSON.stringify(data) ?? String(data)
  } catch {
    return '[data that cannot be written as JSON]'
  }
}
