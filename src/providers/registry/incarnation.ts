import type { Phase } from '../../../machines/supervised-child.ts'
import type { ConnectionSnapshot } from '../../../workers/frames.ts'
import type { McpClient } from '../../client/client.ts'
import type { ErrorData } from '../../error-data.ts'

export interface IncarnationEvents {
  up(): void
  /** Once; nothing is told after it. */
  down(phase: Phase, failure: ErrorData | undefined): void
}

/** One life of a supervised server: a connection, watched until it ends. */
export class Incarnation {
  readonly generation: number
  readonly client: McpClient
  readonly #events: IncarnationEvents
  readonly #unfollow: () => void
  #life: 'opening' | 'serving' | 'over' = 'opening'
  #phase: Phase = 'opening'

  constructor(generation: number, client: McpClient, events: IncarnationEvents) {
    this.generation = generation
    this.client = client
    this.#events = events
    this.#unfollow = client.on('state', (snapshot) => this.#follow(snapshot))
  }

  /** Whether calls may be handed to it. */
  get isServing(): boolean {
    return this.#life === 'serving'
  }

  /** A call has failed of its death, which is told in a moment. */
  expire(): void {
    this.#life = 'over'
  }

  /** Resolves when nothing of it is left; never rejects. */
  async end(): Promise<void> {
    this.#unfollow()
    this.#life = 'over'
    await this.client.close().catch(() => {})
  }

  #follow({ value, context }: ConnectionSnapshot): void {
    if (value === 'closing' || value === 'closed') {
      this.#unfollow()
      this.#life = 'over'
      this.#events.down(this.#phase, context.failure)
    } else if (typeof value !== 'object') this.#phase = this.#life === 'serving' ? 'serving' : phases[value]
    else if (this.#life === 'opening') {
      this.#life = 'serving'
      this.#phase = 'serving'
      this.#events.up()
    }
  }
}

const phases = {
  idle: 'opening',
  opening: 'opening',
  probing: 'probing',
  legacyHandshake: 'handshake',
  fallingBack: 'handshake',
} as const satisfies { readonly [state: string]: Phase }
