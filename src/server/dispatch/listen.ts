import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { MetaKey } from '../../protocol/meta.ts'
import { honourable, type SubscriptionFilter } from '../../protocol/subscriptions.ts'
import type { DetailedTask } from '../../protocol/tasks.ts'
import { invalidParams } from '../methods/params.ts'
import { requireTasks } from '../tasks/task-support.ts'
import type { Caller } from './caller.ts'
import { followChanges } from './changes.ts'
import type { IncomingRequest } from './dispatcher.ts'
import type { Exchange } from './exchange.ts'
import type { Served } from './served.ts'

/** Serves one subscription: acknowledges what is honoured, tells of changes, and ends with the client or the transport. */
export async function listen(
  { offer, tasks }: Served,
  { id, params }: IncomingRequest,
  caller: Caller,
  exchange: Exchange,
): Promise<JsonObject> {
  const { filter, ...wanted } = readFilter(params.notifications)
  const taskIds = offer.capabilities.extensions ? wanted.taskIds : undefined
  if (taskIds) requireTasks('taskIds', caller)
  const followed = taskIds && (await tasks.followable(taskIds, exchange.principal))
  const honoured = honourable(filter, offer.capabilities)
  const _meta = { [MetaKey.subscriptionId]: id }
  const notify = (method: string, sent: JsonObject) => exchange.notify(method, { ...sent, _meta })
  const tell = (task: DetailedTask) => notify('notifications/tasks', { ...task })
  const ids = new Set(followed?.map(({ taskId }) => taskId))
  notify('notifications/subscriptions/acknowledged', {
    notifications: { ...honoured, ...(ids.size > 0 && { taskIds: [...ids] }) },
  })
  // What has changed since its client heard of a task is not missed.
  followed?.forEach(tell)
  const stops = [followChanges(offer, () => honoured, notify)]
  if (ids.size > 0) stops.push(tasks.follow((task) => ids.has(task.taskId) && tell(task)))
  return new Promise((resolve) => {
    const end = () => {
      for (const stop of stops) stop()
      resolve({ _meta })
    }
    exchange.cancellation.signal.addEventListener('abort', end, { once: true })
    if (exchange.cancellation.isAborted) end()
    exchange.onStop(end)
  })
}

interface Wanted {
  readonly filter: SubscriptionFilter
  /** Undefined when it names none. */
  readonly taskIds: readonly string[] | undefined
}

/** What is unknown in it is not honoured, and no error: extensions add to it. */
function readFilter(given: unknown): Wanted {
  if (!isObject(given)) throw invalidParams('notifications must be an object that says what to be told of')
  const { resourceSubscriptions, taskIds, ...flags } = given
  const uris = textsOf(resourceSubscriptions)
  const asked = Object.entries(flags).filter(([, value]) => value === true)
  return {
    filter: { ...Object.fromEntries(asked), ...(uris.length > 0 && { resourceSubscriptions: uris }) },
    taskIds: taskIds === undefined ? undefined : [...new Set(textsOf(taskIds))].slice(0, mostTasks),
  }
}

function textsOf(given: unknown): readonly string[] {
  return Array.isArray(given) ? given.filter((one) => typeof one === 'string') : []
}

/** Nobody follows as many. */
const mostTasks = 1_000
