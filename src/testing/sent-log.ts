import type { JsonObject, RequestId } from '../protocol/json-rpc.ts'

interface Waiter {
  readonly resolve: (message: JsonObject) => void
  readonly reject: (error: Error) => void
}

/** What was sent, and who waits for what will be. */
export class SentLog {
  readonly messages: JsonObject[] = []
  readonly #unread = new Map<string, JsonObject[]>()
  readonly #readers = new Map<string, Waiter[]>()
  readonly #asked = new Map<RequestId, Waiter>()

  add(message: JsonObject): void {
    this.messages.push(message)
    const { method, id } = message
    if (typeof method === 'string') return this.#hand(method, message)
    if (typeof id !== 'string' && typeof id !== 'number') return
    this.#asked.get(id)?.resolve(message)
    this.#asked.delete(id)
  }

  next(method: string): Promise<JsonObject> {
    const unread = this.#unread.get(method)?.shift()
    if (unread) return Promise.resolve(unread)
    return waiting((waiter) => listOf(this.#readers, method).push(waiter))
  }

  answerTo(id: RequestId): Promise<JsonObject> {
    return waiting((waiter) => this.#asked.set(id, waiter))
  }

  end(): void {
    const waiters = [...[...this.#readers.values()].flat(), ...this.#asked.values()]
    this.#readers.clear()
    this.#asked.clear()
    for (const { reject } of waiters) reject(new Error('The fake wire ended before that was sent'))
  }

  #hand(method: string, message: JsonObject): void {
    const reader = this.#readers.get(method)?.shift()
    if (reader) reader.resolve(message)
    else listOf(this.#unread, method).push(message)
  }
}

/** Nobody has to look at it: its rejection is never unhandled. */
function waiting(enlist: (waiter: Waiter) => void): Promise<JsonObject> {
  const promise = new Promise<JsonObject>((resolve, reject) => enlist({ resolve, reject }))
  promise.catch(() => {})
  return promise
}

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
