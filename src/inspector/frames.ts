/** Between the inspector and its page: everything that is sent to a viewer is one of these, as JSON in a server-sent event. */
export type InspectorFrame =
  /** All there is to know: first of all, and again after frames were dropped. */
  | {
      readonly kind: 'picture'
      readonly nowMs: number
      /** The machines that have a drawing. */
      readonly machines: readonly string[]
      readonly actors: readonly ActorPicture[]
      readonly phases: readonly PhaseChange[]
      readonly log: readonly LogEntry[]
    }
  /** An actor is new, or is in another state. */
  | { readonly kind: 'actor'; readonly actor: ActorPicture }
  /** An actor that ended was forgotten. */
  | { readonly kind: 'gone'; readonly key: string }
  | { readonly kind: 'phase'; readonly phase: PhaseChange }
  | { readonly kind: 'entry'; readonly entry: LogEntry }
  /** This viewer reads too slowly and missed that many; a picture follows. */
  | { readonly kind: 'dropped'; readonly frames: number }

/** One actor as it is now. Times are milliseconds since 1970. */
export interface ActorPicture {
  /** The same for each incarnation: what stands in one place of the page. */
  readonly key: string
  /** What the page groups by. */
  readonly server: string
  readonly name: string
  /** The id of its machine. */
  readonly machine: string
  /** How many actors of this key there have been. */
  readonly generation: number
  /** The ids of the state nodes it is in. */
  readonly states: readonly string[]
  readonly status: string
  /** Its context, without secrets and cut to a size. */
  readonly facts: unknown
  readonly sinceMs: number
}

/** How a server is, in one word. */
export type Phase =
  | 'stopped'
  | 'starting'
  | 'up'
  | 'inputRequired'
  | 'backingOff'
  | 'exhausted'
  | 'stopping'
  | 'failed'

export interface PhaseChange {
  readonly server: string
  readonly phase: Phase
  readonly generation: number
  readonly atMs: number
}

export type LogEntry = {
  /** Counts the entries; later is larger. */
  readonly number: number
  readonly atMs: number
  readonly server: string
  /** The key of the actor it happened to. */
  readonly actor: string
} & (
  | {
      readonly kind: 'event'
      readonly type: string
      readonly from: string | undefined
      /** JSON, without secrets and cut to a size. */
      readonly text: string
    }
  | { readonly kind: 'state'; readonly states: readonly string[] }
  | {
      readonly kind: 'message'
      readonly direction: 'sent' | 'received'
      readonly type: string
      readonly id?: string | number
      readonly size: number
      readonly text: string
    }
)
