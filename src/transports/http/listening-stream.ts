import { FollowedStream } from './followed-stream.ts'
import { SseCursor } from './sse-cursor.ts'
import type { Traffic } from './traffic.ts'

/** The stream on which a legacy server speaks unasked. A server need not have one. */
export class ListeningStream {
  readonly #traffic: Traffic
  #stream: FollowedStream | undefined
  #wasOpen = false

  constructor(traffic: Traffic) {
    this.#traffic = traffic
  }

  /** `onDecided` hears, at least once, that it is open, refused, or not to be had at the moment. */
  start(onDecided: () => void): void {
    const { wire, session, events } = this.#traffic
    const sessionId = session.id
    const { path } = wire.endpoint
    const { headers } = session
    const request = { path, headers, lane: 'control', idleTimeoutMs: 0, isOptional: true } as const
    this.#stream = new FollowedStream(wire, request, new SseCursor(), {
      message: (message, text) => this.#traffic.receive(message, text),
      noise: (sample) => events.noise(sample),
      oversize: () => events.oversize(undefined, wire.maxMessageBytes),
      opened: () => {
        this.#wasOpen = true
        events.stream?.('open')
        onDecided()
      },
      waiting: () => {
        events.stream?.('waiting')
        onDecided()
      },
      gaveUp: (failure, status) => {
        // Not found at first is how many servers say that they have none.
        if (status === 404 && this.#wasOpen) this.#traffic.loseSession(sessionId, failure)
        this.stop()
        onDecided()
      },
    })
    this.#stream.open()
  }

  /** Says so, if it was there or awaited. */
  stop(): void {
    if (!this.#stream) return
    this.#stream.stop()
    this.#stream = undefined
    this.#wasOpen = false
    this.#traffic.events.stream?.('absent')
  }
}
