import { type Message, parseMessage, sampleOf } from './parse-message.ts'
import { EventReader } from './read-events.ts'
import type { SseCursor } from './sse-cursor.ts'

export interface MessageHandlers {
  message(message: Message, text: string): void
  noise(sample: string): void
  oversize(): void
  /** An event that is not of type `message`. Default: dropped. */
  other?(type: string, data: string): void
}

/** Reads the messages of an event stream. */
export function readMessageStream(
  cursor: SseCursor,
  maxMessageBytes: number,
  handlers: MessageHandlers,
): EventReader {
  const event = (type: string, data: string): void => {
    if (type !== 'message') return handlers.other?.(type, data)
    // Empty data comes with an event that only says where the stream stands.
    if (data === '') return
    const message = parseMessage(data)
    if (message) handlers.message(message, data)
    else handlers.noise(sampleOf(data))
  }
  return new EventReader(cursor, maxMessageBytes, { event, oversize: () => handlers.oversize() })
}

/** The same, as long as they are wanted: one chunk may hold more messages than still are after the first. */
export function handleWhile(isWanted: () => boolean, handlers: MessageHandlers): MessageHandlers {
  const { message, noise, oversize, other } = handlers
  return {
    message: (value, text) => isWanted() && message(value, text),
    noise: (sample) => isWanted() && noise(sample),
    oversize: () => isWanted() && oversize(),
    other: (type, data) => isWanted() && other?.(type, data),
  }
}
