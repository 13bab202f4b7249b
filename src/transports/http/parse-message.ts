import { isObject, isRequestId, type JsonObject, type RequestId } from '../../protocol/json-rpc.ts'
import { parseMessage as parse } from '../../protocol/parse-message.ts'

export type Message = JsonObject | readonly unknown[]

/** The object or array that a text is; undefined for anything else, also for one that is too deep or too dense to be read. */
export function parseMessage(text: string): Message | undefined {
  const parsed = parse(text)
  return parsed.kind === 'message' ? parsed.message : undefined
}

/** The start of a text for a report. Copied: a slice would keep the whole text, maybe megabytes, alive. */
export function sampleOf(text: string): string {
  return text.length <= sampleLength ? text : Buffer.from(text.slice(0, sampleLength)).toString()
}

/** The ids of the requests that a message, or a batch of them, answers. */
export function answeredIds(message: Message): readonly RequestId[] {
  if (isObject(message)) return isResponse(message) && isRequestId(message.id) ? [message.id] : none
  return (message as readonly unknown[]).filter(isObject).flatMap(answeredIds)
}

/** Whether it has the form of an answer, with or without an id. */
export function isResponse(message: unknown): message is JsonObject {
  return isObject(message) && !('method' in message) && ('result' in message || 'error' in message)
}

const none: readonly RequestId[] = []
const sampleLength = 200
