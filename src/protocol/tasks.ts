import { type InputRequests, mostQuestions, readInputRequests } from './input-requests.ts'
import { isObject, type JsonObject, type JsonRpcErrorObject } from './json-rpc.ts'

/** The key under which the extension is declared. Source: extension io.modelcontextprotocol/tasks. */
export const tasksExtension = 'io.modelcontextprotocol/tasks'

export type TaskStatus = 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'

/** A task as its server tells it: what an application may show, and keep to pick it up again. */
export interface Task {
  readonly taskId: string
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly createdAt?: string
  readonly lastUpdatedAt?: string
  /** How long the server keeps it, from its creation; null: for ever. */
  readonly ttlMs?: number | null
  readonly pollIntervalMs?: number
}

/** A task as `tasks/get` and `notifications/tasks` show it: with what its status brings along. */
export interface DetailedTask extends Task {
  readonly inputRequests?: InputRequests
  readonly result?: JsonObject
  readonly error?: JsonRpcErrorObject
}

/** The same, as it was read. */
export interface TaskReading {
  readonly task: Task
  readonly inputRequests: InputRequests
  readonly result: JsonObject | undefined
  readonly error: JsonRpcErrorObject | undefined
}

const statuses: readonly unknown[] = ['working', 'input_required', 'completed', 'failed', 'cancelled']
/** When the server names none, and the least we keep to whatever it names. */
const defaultPollIntervalMs = 1_000
const shortestPollIntervalMs = 20

/** Reads a task; undefined when it is none, or its status lacks what it must bring. */
export function readTask(value: JsonObject): TaskReading | undefined {
  const { taskId, status, statusMessage, createdAt, lastUpdatedAt, ttlMs, pollIntervalMs, result, error } =
    value
  if (typeof taskId !== 'string' || !isTaskStatus(status)) return undefined
  const task: Task = {
    taskId,
    status,
    ...(typeof statusMessage === 'string' && { statusMessage }),
    ...(typeof createdAt === 'string' && { createdAt }),
    ...(typeof lastUpdatedAt === 'string' && { lastUpdatedAt }),
    ...((typeof ttlMs === 'number' || ttlMs === null) && { ttlMs }),
    ...(typeof pollIntervalMs === 'number' && { pollIntervalMs }),
  }
  const inputRequests = readInputRequests(value.inputRequests ?? {})
  if (!inputRequests || Object.keys(inputRequests).length > mostQuestions) return undefined
  if (error !== undefined && !isErrorObject(error)) return undefined
  return { task, inputRequests, result: isObject(result) ? result : undefined, error }
}

/** Whether nothing will change of it any more. */
export function isOver(status: TaskStatus): boolean {
  return status !== 'working' && status !== 'input_required'
}

export function pollIntervalOf({ pollIntervalMs }: Task): number {
  return Math.max(shortestPollIntervalMs, pollIntervalMs ?? defaultPollIntervalMs)
}

function isTaskStatus(value: unknown): value is TaskStatus {
  return statuses.includes(value)
}

function isErrorObject(value: unknown): value is JsonRpcErrorObject {
  return isObject(value) && Number.isInteger(value.code) && typeof value.message === 'string'
}
