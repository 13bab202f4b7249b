import type { Clock } from '../src/clock.ts'
import type { Transport } from '../src/transports/transport.ts'
import type { Link, LinkOptions } from './link.ts'

/** After so many frames the caller's thread has a turn of its own: its timers and sockets do not wait for a server that never pauses. */
const framesPerTurn = 1_000

/** Hosts a connection on the caller's own thread: the same frames, handed over without a copy. */
export async function openInlineLink(transport: Transport, clock: Clock, start: LinkOptions): Promise<Link> {
  const { Connection } = await import('./connection/connection.ts')
  const { options, desk, receive } = start
  let frames = 0
  const nextTurn = () => {
    frames = 0
    transport.resume?.()
  }
  const connection = new Connection({
    options,
    transport,
    desk,
    clock,
    up: (frame) => {
      frames += 1
      if (frames === framesPerTurn) {
        transport.pause?.()
        setImmediate(nextTurn)
      }
      receive(frame)
    },
  })
  return {
    post: (frame) => connection.receive(frame),
    watch: (isWatched) => connection.watch(isWatched),
    close: () => connection.close(),
    ended: connection.ended,
  }
}
