import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { ServedRequest } from '../request/served-request.ts'
import { requireTasks } from '../tasks/task-support.ts'
import type { Method } from './method.ts'
import { nameOf } from './params.ts'

export const getTask: Method = async ({ tasks }, params, request) => {
  const task = await tasks.find(taskOf('tasks/get', params, request), request.principal)
  return { result: { ...task } }
}

export const updateTask: Method = async ({ tasks }, params, request) => {
  await tasks.answer(taskOf('tasks/update', params, request), request.principal, params.inputResponses)
  return { result: {} }
}

export const cancelTask: Method = async ({ tasks }, params, request) => {
  await tasks.cancel(taskOf('tasks/cancel', params, request), request.principal)
  return { result: {} }
}

function taskOf(method: string, params: JsonObject, request: ServedRequest): string {
  requireTasks(method, request)
  return nameOf(params, 'taskId')
}
