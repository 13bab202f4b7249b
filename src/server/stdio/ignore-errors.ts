import type { EventEmitter } from 'node:events'

/**
 * A stream that breaks does not end the process, not even later, when nobody waits for it any more: what was written last may fail last.
 * Whoever wants to know listens for itself.
 */
export function ignoreErrors(stream: EventEmitter): void {
  if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore)
}

const ignore = () => {}
