import type { Phase } from '../../../machines/supervised-child.ts'
import type { ConnectionSnapshot } from '../../../workers/frames.ts'
import type { McpClient } from '../../client/client.ts'
import type { ErrorData } from '../../error-data.ts'
import { ServerGoneError, TransportClosedError } from '../../errors.ts'

export interface IncarnationEvents {
  up(): void
  /** Once, and nothing after it. */
  down(phase: Phase, failure: ErrorData | undefined): void
}

/** One life of a supervised server: a connection, watched until it ends. */
export class Incarnation {
  readonly client: McpClient
  readonly #events: IncarnationEvents
  readonly #unfollow: () => void
  readonly #closed: Promise<void>
  #onClosed: () => void = () => {}
  #life: 'opening' | 'serving' | 'expired' | 'dying' = 'opening'
  #phase: Phase = 'opening'

  constructor(client: McpClient, events: IncarnationEvents) {
    this.client = client
    this.#events = events
    this.#closed = new Promise((resolve) => {
      this.#onClosed = resolve
    })
    this.#unfollow = client.on('state', (snapshot) => this.#follow(snapshot))
  }

  /** Whether calls may be handed to it. */
  get isServing(): boolean {
    return this.#life === 'serving'
  }

  /** A call has failed of its death, which will be told in a moment. */
  expire(): void {
    if (this.#life === 'serving') this.#life = 'expired'
  }

  /** Resolves when nothing of it is left; never rejects. */
  async end(): Promise<void> {
    // Closed by us, its calls would not be told of what it died.
    if (this.#life === 'dying') await this.#closed
    this.#life = 'dying'
    this.#unfollow()
    await this.client.close().catch(() => {})
  }

  #follow({ value, context }: ConnectionSnapshot): void {
    if (value === 'closed') this.#onClosed()
    if (value === 'closing' || value === 'closed') this.#die(context.failure)
    else if (this.#life === 'opening') this.#open(value)
  }

  #open(value: Exclude<ConnectionSnapshot['value'], 'closing' | 'closed'>): void {
    this.#phase = typeof value === 'object' ? 'serving' : phases[value]
    if (this.#phase !== 'serving') return
    this.#life = 'serving'
    this.#events.up()
  }

  #die(failure: ErrorData | undefined): void {
    if (this.#life === 'dying') return
    this.#life = 'dying'
    this.#events.down(this.#phase, failure)
  }
}

/** Whether a call failed because its server went, and not of something of its own. */
export function isDeath(failure: unknown, incarnation: Incarnation): boolean {
  return (
    failure instanceof ServerGoneError || (failure instanceof TransportClosedError && !incarnation.isServing)
  )
}

const phases = {
  idle: 'opening',
  opening: 'opening',
  probing: 'probing',
  legacyHandshake: 'handshake',
  fallingBack: 'handshake',
} as const satisfies { readonly [state: string]: Phase }
