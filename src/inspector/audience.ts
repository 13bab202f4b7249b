import type { ServerResponse } from 'node:http'
import type { Watching } from '../client/inspection/inspect.ts'
import type { InspectorFrame } from './frames.ts'
import { eventText, Viewer } from './viewer.ts'

/** Everybody who looks on. While there is nobody, connections are told so and send no more than their states. */
export class Audience implements Watching {
  readonly #maxBacklogBytes: number
  readonly #viewers = new Set<Viewer>()
  readonly #listeners = new Set<(isOn: boolean) => void>()

  constructor(maxBacklogBytes: number) {
    this.#maxBacklogBytes = maxBacklogBytes
  }

  get isOn(): boolean {
    return this.#viewers.size > 0
  }

  get isFull(): boolean {
    return this.#viewers.size >= mostViewers
  }

  onChange(listener: (isOn: boolean) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** Shows everything to this response from now on, until it closes. */
  seat(response: ServerResponse, picture: () => InspectorFrame): void {
    const viewer = new Viewer(response, picture, this.#maxBacklogBytes)
    this.#viewers.add(viewer)
    if (this.#viewers.size === 1) this.#tell(true)
    response.once('close', () => {
      this.#viewers.delete(viewer)
      if (this.#viewers.size === 0) this.#tell(false)
    })
  }

  show(frame: InspectorFrame): void {
    if (!this.isOn) return
    const text = eventText(frame)
    for (const viewer of this.#viewers) viewer.show(text)
  }

  end(): void {
    for (const viewer of this.#viewers) viewer.end()
  }

  #tell(isOn: boolean): void {
    for (const listener of this.#listeners) listener(isOn)
  }
}

const mostViewers = 16
