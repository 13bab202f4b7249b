import type { Clock } from '../src/clock.ts'
import type { Transport } from '../src/transports/transport.ts'
import type { Link, LinkOptions } from './link.ts'

/** Hosts a connection on the caller's own thread: the same frames, handed over without a copy. */
export async function openInlineLink(transport: Transport, clock: Clock, start: LinkOptions): Promise<Link> {
  const { Connection } = await import('./connection/connection.ts')
  const { options, desk, receive } = start
  const connection = new Connection({ options, transport, desk, clock, up: receive })
  return {
    post: (frame) => connection.receive(frame),
    watch: (isWatched) => connection.watch(isWatched),
    close: () => connection.close(),
    ended: connection.ended,
  }
}
