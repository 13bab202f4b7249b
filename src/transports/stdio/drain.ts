import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { setImmediate } from 'node:timers/promises'
import { type Clock, systemClock } from '../../clock.ts'
import { settlesWithin } from '../../settles-within.ts'

/**
 * Resolves when everything a dead process wrote has been read. A descendant that still holds a pipe open does not hang
 * us: after `quietMs` (200) without data, or `maxMs` (1000) with it, the streams are destroyed.
 */
export async function drain(
  streams: readonly Readable[],
  { quietMs = 200, maxMs = 1000 } = {},
  clock: Clock = systemClock,
): Promise<void> {
  const ended = Promise.all(streams.map((stream) => finished(stream).catch(() => undefined)))
  const deadline = clock.now() + maxMs
  let isBusy = true
  const noticeData = (): void => {
    isBusy = true
  }
  for (const stream of streams) stream.on('data', noticeData)
  while (isBusy && clock.now() < deadline) {
    isBusy = false
    if (await settlesWithin(ended, quietMs, clock)) break
    // A timer that fires late, because a large message was being parsed, comes before the data that waits in the pipe:
    // look again after the event loop has read.
    await setImmediate()
  }
  for (const stream of streams) stream.off('data', noticeData).destroy()
}
