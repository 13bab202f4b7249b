import { type LoggingLevel, loggingLevels } from '../src/protocol/logging.ts'
import type { Progress } from '../src/protocol/progress.ts'
import type { CallFacts } from './tool-frames.ts'
import type { ToolOutbox } from './tool-outbox.ts'

/**
 * The request that a handler in a thread works for. It has no questions and no signal: such a handler cannot ask, and is stopped when
 * its call is given up.
 */
export interface ThreadContext extends CallFacts {
  /** Whether a message of that level would reach the caller. */
  wantsLog(level: LoggingLevel): boolean
  /** As of a `RequestContext`. @throws TypeError for data that is no JSON */
  log(level: LoggingLevel, data: unknown): void
  /** As of a `RequestContext`. */
  progress(report: Progress): void
}

/** Stands in for the context of the host: what is told crosses as data. */
export function threadContext(facts: CallFacts, outbox: ToolOutbox): ThreadContext {
  return {
    ...facts,
    wantsLog: (level) =>
      facts.logLevel !== undefined && loggingLevels.indexOf(level) >= loggingLevels.indexOf(facts.logLevel),
    // What the host could not write as JSON fails here, where it is said.
    log: (level, data) => {
      const text = JSON.stringify(data) ?? 'null'
      outbox.tell({ kind: 'log', level, data: JSON.parse(text), chars: text.length })
    },
    progress: ({ progress, total, message }) => {
      const text = JSON.stringify({ progress, total, message })
      outbox.tell({ kind: 'progress', report: JSON.parse(text), chars: text.length })
    },
  }
}
