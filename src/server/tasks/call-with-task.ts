import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { MethodResult } from '../methods/method.ts'
import type { ServedRequest } from '../request/served-request.ts'
import type { ServerTasks } from './server-tasks.ts'

/** Who makes a task of a call: the server, before the handler runs, or the handler, by `context.startTask()`. */
export type TaskStart = 'call' | 'handler'

/** Runs a call that may become a task. It is answered with what comes first, the task or the result; the rest is the task's. */
export function callWithTask(
  tasks: ServerTasks,
  request: ServedRequest,
  start: TaskStart,
  work: () => Promise<JsonObject>,
): Promise<MethodResult> {
  return new Promise((resolve, reject) => {
    request.mayStartTask(async () => {
      const task = await tasks.begin({ ...request.taskCall, outcome })
      request.goOnAs(task)
      resolve({ result: { ...task.shown }, resultType: 'task' })
    })
    // In a turn of its own: it may start the task at once, which waits for it.
    const outcome = Promise.resolve().then(async () => {
      if (start === 'call') await request.startTask()
      return work()
    })
    outcome.then((result) => resolve({ result }), reject)
  })
}
