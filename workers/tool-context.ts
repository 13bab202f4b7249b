import type { MessagePort } from 'node:worker_threads'
import { type LoggingLevel, loggingLevels } from '../src/protocol/logging.ts'
import type { Progress } from '../src/protocol/progress.ts'
import type { CallFacts, ToolFrame } from './tool-frames.ts'

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
export function threadContext(facts: CallFacts, port: MessagePort): ThreadContext {
  const post = (frame: ToolFrame) => port.postMessage(frame)
  return {
    ...facts,
    wantsLog: (level) =>
      facts.logLevel !== undefined && loggingLevels.indexOf(level) >= loggingLevels.indexOf(facts.logLevel),
    log: (level, data) => post({ kind: 'log', level, data: plain(data) }),
    progress: ({ progress, total, message }) =>
      post({ kind: 'progress', report: plain({ progress, total, message }) as Progress }),
  }
}

/** What the host could not write as JSON must fail here, where it was said. */
function plain(data: unknown): unknown {
  const text = JSON.stringify(data)
  return text === undefined ? null : JSON.parse(text)
}
