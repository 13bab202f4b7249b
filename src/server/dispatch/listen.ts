import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { MetaKey } from '../../protocol/meta.ts'
import { honourable, type SubscriptionFilter } from '../../protocol/subscriptions.ts'
import { invalidParams } from '../methods/params.ts'
import { followChanges } from './changes.ts'
import type { IncomingRequest } from './dispatcher.ts'
import type { Exchange } from './exchange.ts'
import type { Served } from './served.ts'

/** Serves one subscription: acknowledges what is honoured, tells of changes, and ends with the client or the transport (N-02 to N-04). */
export function listen(
  { offer }: Served,
  { id, params }: IncomingRequest,
  exchange: Exchange,
): Promise<JsonObject> {
  const honoured = honourable(readFilter(params.notifications), offer.capabilities)
  const _meta = { [MetaKey.subscriptionId]: id }
  const notify = (method: string, sent: JsonObject) => exchange.notify(method, { ...sent, _meta })
  notify('notifications/subscriptions/acknowledged', { notifications: honoured })
  const stop = followChanges(offer, () => honoured, notify)
  return new Promise((resolve) => {
    const end = () => {
      stop()
      resolve({ _meta })
    }
    exchange.cancellation.signal.addEventListener('abort', end, { once: true })
    exchange.onStop(end)
  })
}

/** What is unknown in it is not honoured, and no error: extensions add to it. */
function readFilter(given: unknown): SubscriptionFilter {
  if (!isObject(given)) throw invalidParams('notifications must be an object that says what to be told of')
  const { resourceSubscriptions, ...flags } = given
  const uris = Array.isArray(resourceSubscriptions) ? resourceSubscriptions : []
  const asked = Object.entries(flags).filter(([, value]) => value === true)
  return {
    ...Object.fromEntries(asked),
    ...(uris.length > 0 && { resourceSubscriptions: uris.filter((uri) => typeof uri === 'string') }),
  }
}
