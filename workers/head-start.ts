import type { Outbound, Transport, TransportEvents } from '../src/transports/transport.ts'

/**
 * A wire that is opened before the connection that will use it exists: the server starts while this thread still loads the
 * machines. What it says meanwhile is kept, and told in order once the connection opens the wire itself.
 */
export class HeadStart implements Transport {
  readonly target: string
  readonly secrets: readonly string[]
  readonly carriesHeaders: boolean | undefined
  /** Settles when the server was started, or could not be. */
  readonly started: Promise<void>
  readonly #transport: Transport
  readonly #abort = new AbortController()
  readonly #opening: Promise<void>
  readonly #onSpawned: (processGroupId: number) => void
  #kept: ((events: TransportEvents) => void)[] = []
  #events: TransportEvents | undefined

  /** `onSpawned` hears of a process at once: it must not outlive its host, whoever else hears of it later. */
  constructor(transport: Transport, onSpawned: (processGroupId: number) => void) {
    this.#transport = transport
    this.#onSpawned = onSpawned
    this.target = transport.target
    this.secrets = transport.secrets ?? []
    this.carriesHeaders = transport.carriesHeaders
    this.#opening = transport.open(this.#relay(), this.#abort.signal)
    const settle = () => {}
    this.started = this.#opening.then(settle, settle)
  }

  open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    signal.addEventListener('abort', () => this.#abort.abort(signal.reason), { once: true })
    if (signal.aborted) this.#abort.abort(signal.reason)
    this.#events = events
    for (const tell of this.#kept) tell(events)
    this.#kept = []
    this.#transport.resume?.()
    return this.#opening
  }

  send(message: Outbound): void {
    this.#transport.send(message)
  }

  pause(): void {
    this.#transport.pause?.()
  }

  resume(): void {
    this.#transport.resume?.()
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  #tell(event: (events: TransportEvents) => void): void {
    if (this.#events) event(this.#events)
    else if (this.#kept.push(event) === mostKept) this.#transport.pause?.()
  }

  #relay(): TransportEvents {
    return {
      message: (message, text) => this.#tell((events) => events.message(message, text)),
      noise: (sample) => this.#tell((events) => events.noise(sample)),
      failed: (id, failure, wasRefused) => this.#tell((events) => events.failed?.(id, failure, wasRefused)),
      oversize: (id, maxMessageBytes) => this.#tell((events) => events.oversize(id, maxMessageBytes)),
      stderr: (line) => this.#tell((events) => events.stderr(line)),
      spawned: (processGroupId) => {
        this.#onSpawned(processGroupId)
        this.#tell((events) => events.spawned(processGroupId))
      },
      reaped: (processGroupId) => this.#tell((events) => events.reaped(processGroupId)),
      closed: (failure) => this.#tell((events) => events.closed(failure)),
    }
  }
}

/** A server that says more than that before it was asked anything waits until it is heard. */
const mostKept = 256
