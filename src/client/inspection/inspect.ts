import type { InspectionEvent } from 'xstate'
import { thrownMessage } from '../../thrown-message.ts'

/**
 * Whoever watches: what XState's own `inspect` takes, so that any inspector of its world can be attached, e.g. the vendor's
 * visualizer. It is told of every actor (`@xstate.actor`), event (`@xstate.event`) and state (`@xstate.snapshot`), also of actors
 * in threads, by stand-ins whose `sessionId` is a path of ours. Messages on the wire are events between a connection and its
 * server; see `WireEvent`. Secrets are masked and long values cut before they leave their thread.
 */
export type Inspect = ((event: InspectionEvent) => void) | InspectionObserver

export interface InspectionObserver {
  next?(event: InspectionEvent): void
  /** For an observer that looks only now and then: without it, it always does. */
  readonly watching?: Watching
}

/** While nobody looks, connections send no events and no messages to their observer, only their states. */
export interface Watching {
  readonly isOn: boolean
  /** Calls back when that changes; returns what stops it. */
  onChange(listener: (isOn: boolean) => void): () => void
}

/** A message on the wire, without secrets: `sent` to the stand-in of the server, or `received` from it by the connection. */
export interface WireEvent {
  /** Its method; `result` or `error` for an answer. */
  readonly type: string
  readonly wire: 'sent' | 'received'
  readonly id?: string | number
  /** The length of the whole message in characters. */
  readonly size: number
  /** JSON, cut to a size. */
  readonly text: string
}

/** Tells the observer, whatever its form. */
export function tell(inspect: Inspect, event: InspectionEvent): void {
  if (typeof inspect === 'function') inspect(event)
  else inspect.next?.(event)
}

/** The same observer where nothing may throw: within the machines that it watches. */
export function harmless(inspect: Inspect, warn: (message: string) => void): InspectionObserver {
  return {
    next: (event) => {
      try {
        tell(inspect, event)
      } catch (error) {
        warn(`inspect threw: ${thrownMessage(error)}`)
      }
    },
    watching: watchingOf(inspect),
  }
}

export function watchingOf(inspect: Inspect | undefined): Watching | undefined {
  return typeof inspect === 'object' ? inspect.watching : undefined
}

/** Whether there is anybody to be told right now. */
export function isWatched(inspect: Inspect | undefined): boolean {
  return inspect !== undefined && (watchingOf(inspect)?.isOn ?? true)
}
