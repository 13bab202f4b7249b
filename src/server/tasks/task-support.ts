import { ProtocolError } from '../../errors.ts'
import { declaresTasks } from '../../protocol/capabilities.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { tasksExtension } from '../../protocol/tasks.ts'
import { undeclared } from '../input/declared.ts'
import type { RequestContext } from '../request/request-context.ts'

/** Whether calls of a tool may become tasks: never, where the client takes tasks, or only there. */
export type TaskSupport = 'forbidden' | 'optional' | 'required'

/** Whether a call may become a task. @throws ProtocolError when it must, and its client takes none */
export function mayBecomeTask(tool: string, support: TaskSupport, caller: RequestContext): boolean {
  if (support === 'forbidden') return false
  if (caller.era === 'modern' && declaresTasks(caller.clientCapabilities)) return true
  if (support === 'optional') return false
  if (caller.era === 'modern') throw undeclared(tool, tasksCapability)
  throw new ProtocolError({
    code: ErrorCode.MethodNotFound,
    message: `${tool} runs as a task only, and those are for clients of 2026-07-28 and later`,
  })
}

/** @throws ProtocolError for a client that takes no tasks */
export function requireTasks(what: string, caller: Pick<RequestContext, 'clientCapabilities'>): void {
  if (!declaresTasks(caller.clientCapabilities)) throw undeclared(what, tasksCapability)
}

const tasksCapability = { extensions: { [tasksExtension]: {} } }
