import { classify, type Inbound, isObject } from '../../protocol/json-rpc.ts'
import { errorReply } from './reply.ts'

/** The messages of a batch, as 2025-03-26 has them; undefined for one that nobody takes: empty, endless, or with a handshake. */
export function readBatch(messages: readonly unknown[]): readonly Inbound[] | undefined {
  if (messages.length === 0 || messages.length > mostMessages) return undefined
  const batch = messages.map((message) => (isObject(message) ? classify(message) : noMessage))
  return batch.some((one) => one.kind === 'request' && one.method === 'initialize') ? undefined : batch
}

/** The answers of a batch in one text, or that they are too much for one: no string is longer than half a GiB. */
export function batchText(texts: readonly string[]): string {
  try {
    return `[${texts.join(',')}]`
  } catch (error) {
    return errorReply(undefined, error).text
  }
}

const mostMessages = 1_000
const noMessage: Inbound = { kind: 'invalid', id: null, isAnswer: false, reason: 'it is no object' }
