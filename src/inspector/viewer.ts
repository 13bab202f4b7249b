import type { ServerResponse } from 'node:http'
import type { InspectorFrame } from './frames.ts'

/**
 * One page that looks on: frames go out as server-sent events. A viewer that reads more slowly than things happen costs no memory:
 * past the limit frames are dropped, and once it has caught up it is told how many and given everything anew.
 */
export class Viewer {
  readonly #response: ServerResponse
  readonly #picture: () => InspectorFrame
  readonly #maxBacklogBytes: number
  #dropped = 0

  constructor(response: ServerResponse, picture: () => InspectorFrame, maxBacklogBytes: number) {
    this.#response = response
    this.#picture = picture
    this.#maxBacklogBytes = maxBacklogBytes
    response.on('drain', () => this.#catchUp())
    this.show(eventText(picture()))
  }

  /** Takes the event as text: it is the same for all viewers. */
  show(text: string): void {
    // Only where the response will say that it has caught up.
    const isBehind = this.#response.writableNeedDrain && this.#response.writableLength > this.#maxBacklogBytes
    if (this.#dropped > 0 || isBehind) this.#dropped += 1
    else this.#response.write(text)
  }

  end(): void {
    this.#response.end()
  }

  #catchUp(): void {
    if (this.#dropped === 0) return
    const frames = this.#dropped
    this.#dropped = 0
    this.#response.write(eventText({ kind: 'dropped', frames }))
    this.#response.write(eventText(this.#picture()))
  }
}

export function eventText(frame: InspectorFrame): string {
  return `data: ${JSON.stringify(frame)}\n\n`
}
