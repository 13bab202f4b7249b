/** RFC 5424 severities, mildest first. Source: server/utilities/logging. */
export const loggingLevels = [
  'debug',
  'info',
  'notice',
  'warning',
  'error',
  'critical',
  'alert',
  'emergency',
] as const
export type LoggingLevel = (typeof loggingLevels)[number]

export interface LogMessage {
  readonly level: LoggingLevel
  readonly logger?: string
  /** Any JSON value. */
  readonly data: unknown
}

export function isLoggingLevel(value: unknown): value is LoggingLevel {
  return (loggingLevels as readonly unknown[]).includes(value)
}
