import type { ServerCapabilities } from './capabilities.ts'
import { isObject, type JsonObject } from './json-rpc.ts'
import { isWithin } from './resources.ts'

/** What to be told about. Source: basic/patterns/subscriptions. */
export interface SubscriptionFilter {
  readonly toolsListChanged?: boolean
  readonly promptsListChanged?: boolean
  readonly resourcesListChanged?: boolean
  readonly resourceSubscriptions?: readonly string[]
}

const listChanged: { readonly [method: string]: keyof SubscriptionFilter } = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
}

/** Whether a legacy notification, which names no subscription, is one the filter asked for. A sub-resource counts. */
export function matchesFilter(filter: SubscriptionFilter, method: string, params: JsonObject): boolean {
  const member = Object.hasOwn(listChanged, method) ? listChanged[method] : undefined
  if (member) return filter[member] === true
  if (method !== 'notifications/resources/updated' || typeof params.uri !== 'string') return false
  const { uri } = params
  return (filter.resourceSubscriptions ?? []).some((subscribed) => isWithin(uri, subscribed))
}

/** The honoured subset as an acknowledgement states it. */
export function readHonoured(params: JsonObject): SubscriptionFilter {
  return isObject(params.notifications) ? params.notifications : {}
}

/** What is wrong with a filter an application gave, or undefined. */
export function checkFilter(filter: unknown): string | undefined {
  if (!isObject(filter)) return 'must be an object'
  const { resourceSubscriptions = [], ...flags } = filter
  for (const [member, value] of Object.entries(flags)) {
    if (!Object.values(listChanged).some((known) => known === member))
      return `${member} is nothing to subscribe to`
    if (typeof value !== 'boolean') return `${member} must be true or false`
  }
  const areUris =
    Array.isArray(resourceSubscriptions) && resourceSubscriptions.every((uri) => typeof uri === 'string')
  return areUris ? undefined : 'resourceSubscriptions must be an array of URIs'
}

/** What of a filter a legacy server can honour: what it advertised. */
export function honourable(filter: SubscriptionFilter, capabilities: ServerCapabilities): SubscriptionFilter {
  const { tools, prompts, resources } = capabilities
  return {
    ...(filter.toolsListChanged && tools?.listChanged && { toolsListChanged: true }),
    ...(filter.promptsListChanged && prompts?.listChanged && { promptsListChanged: true }),
    ...(filter.resourcesListChanged && resources?.listChanged && { resourcesListChanged: true }),
    ...(filter.resourceSubscriptions &&
      resources?.subscribe && { resourceSubscriptions: filter.resourceSubscriptions }),
  }
}
