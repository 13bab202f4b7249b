import type { Inbound, JsonObject, RequestId } from '../../protocol/json-rpc.ts'
import { notificationText, requestText } from '../../protocol/requests.ts'
import type { Cancellation } from '../dispatch/cancellation.ts'

interface Open {
  readonly resolve: (result: JsonObject) => void
  readonly reject: (reason: Error) => void
}

/** Requests of ours that one legacy client has not answered yet. */
export class OpenPushes {
  readonly #open = new Map<RequestId, Open>()
  #next = 1

  /** Sends one, in the course of a call; it is withdrawn with that call. `send` is false when nobody is there to be asked. */
  push(
    method: string,
    params: JsonObject,
    send: (text: string) => boolean,
    call: Cancellation,
  ): Promise<JsonObject> {
    const id = `troupe-${this.#next++}`
    const { signal } = call
    return new Promise<JsonObject>((resolve, reject) => {
      if (signal.aborted) return reject(new Error('The call was given up'))
      const withdraw = () => {
        send(notificationText('notifications/cancelled', { requestId: id, reason: 'the call was given up' }))
        this.#settle(id)?.reject(new Error('The call was given up'))
      }
      signal.addEventListener('abort', withdraw, { once: true })
      const settled =
        <Value>(settle: (value: Value) => void) =>
        (value: Value) => {
          signal.removeEventListener('abort', withdraw)
          settle(value)
        }
      this.#open.set(id, { resolve: settled(resolve), reject: settled(reject) })
      const isSent = send(requestText(id, method, JSON.stringify(params), ''))
      if (!isSent) this.#settle(id)?.reject(new Error('The client has left, and cannot be asked'))
    })
  }

  /** What is no answer to a question of ours is ignored: it may be late. */
  receive(answer: Extract<Inbound, { kind: 'result' | 'error' }>): void {
    const open = answer.id === null ? undefined : this.#settle(answer.id)
    if (answer.kind === 'result') open?.resolve(answer.result)
    else open?.reject(new Error(`The client refused: ${answer.error.message}`))
  }

  #settle(id: RequestId): Open | undefined {
    const open = this.#open.get(id)
    this.#open.delete(id)
    return open
  }
}
