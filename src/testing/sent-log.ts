import type { JsonObject, RequestId } from '../protocol/json-rpc.ts'

/** A request or notification as it was sent. */
export interface SentMessage {
  readonly method: string
  /** `{}` when there were none. */
  readonly params: JsonObject
  /** Undefined: a notification. */
  readonly id?: RequestId
}

interface Waiter<Message> {
  readonly resolve: (message: Message) => void
  readonly reject: (error: Error) => void
}

/** What was sent, and who waits for what will be. */
export class SentLog {
  readonly messages: JsonObject[] = []
  readonly calls: SentMessage[] = []
  readonly #unread = new Map<string, SentMessage[]>()
  readonly #readers = new Map<string, Waiter<SentMessage>[]>()
  readonly #asked = new Map<RequestId, Waiter<JsonObject>>()
  #isOver = false

  add(message: JsonObject): void {
    this.messages.push(message)
    if (typeof message.method === 'string')
      return this.#addCall({ params: {}, ...message } as SentMessage & JsonObject)
    const id = message.id as RequestId
    this.#asked.get(id)?.resolve(message)
    this.#asked.delete(id)
  }

  next(method: string): Promise<SentMessage> {
    const unread = this.#unread.get(method)?.shift()
    if (unread) return Promise.resolve(unread)
    return this.#wait((waiter: Waiter<SentMessage>) => listOf(this.#readers, method).push(waiter))
  }

  answerTo(id: RequestId): Promise<JsonObject> {
    return this.#wait((waiter: Waiter<JsonObject>) => this.#asked.set(id, waiter))
  }

  end(): void {
    this.#isOver = true
    const waiters = [...[...this.#readers.values()].flat(), ...this.#asked.values()]
    this.#readers.clear()
    this.#asked.clear()
    for (const { reject } of waiters) reject(over())
  }

  #addCall(call: SentMessage): void {
    this.calls.push(call)
    const reader = this.#readers.get(call.method)?.shift()
    if (reader) reader.resolve(call)
    else listOf(this.#unread, call.method).push(call)
  }

  /** Nobody has to look at it: its rejection is never unhandled. */
  #wait<Message>(enlist: (waiter: Waiter<Message>) => void): Promise<Message> {
    const promise = new Promise<Message>((resolve, reject) => {
      if (this.#isOver) reject(over())
      else enlist({ resolve, reject })
    })
    promise.catch(() => {})
    return promise
  }
}

function over(): Error {
  return new Error('The fake wire ended before that was sent')
}

function listOf<Item>(lists: Map<string, Item[]>, key: string): Item[] {
  const list = lists.get(key) ?? []
  lists.set(key, list)
  return list
}
