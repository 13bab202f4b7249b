import { type Actor, createActor, type SnapshotFrom } from 'xstate'
import type { ConnectionContext, ConnectionEvent, connectionMachine } from '../../machines/index.ts'
import { fromErrorData, toErrorData } from '../../src/error-data.ts'
import { InternalError, type McpError, TransportClosedError } from '../../src/errors.ts'
import { thrownMessage } from '../../src/thrown-message.ts'
import type { TransportEvents } from '../../src/transports/transport.ts'
import type { ConnectionCounters, Downlink } from '../frames.ts'
import { type Assembly, assemble, type ConnectionParts, provided } from './assemble.ts'
import { ServerClock } from './server-clock.ts'

export type { ConnectionParts } from './assemble.ts'

type MachineSnapshot = SnapshotFrom<typeof connectionMachine>

/**
 * One connection, wherever it is hosted: the machine that decides, and beside it the parts that carry its traffic.
 * Frames come in by `receive` and leave by `up`; `ended` resolves when nothing of it is left.
 */
export class Connection {
  readonly ended: Promise<void>
  readonly #parts: ConnectionParts
  readonly #assembly: Assembly
  readonly #actor: Actor<typeof connectionMachine>
  /** Where a person may have to sign in. */
  readonly #serverClock: ServerClock | undefined
  #shown: MachineSnapshot | undefined
  #host: 'keepsUp' | 'behind' = 'keepsUp'

  constructor(parts: ConnectionParts) {
    this.#parts = parts
    const { options, transport } = parts
    this.#serverClock = transport.getsCredentials ? new ServerClock(parts.clock) : undefined
    const clock = this.#serverClock ?? parts.clock
    this.#assembly = assemble({ ...parts, clock }, (event) => this.#tell(event))
    this.#actor = createActor(provided(this.#assembly, transport, this.#events()), {
      input: { ...options, hasOlderWire: transport.fallBack !== undefined },
      clock,
    })
    this.ended = new Promise((resolve) => {
      this.#actor.subscribe({
        next: (snapshot) => this.#follow(snapshot),
        complete: resolve,
        error: (error) => this.#crash(error).then(resolve),
      })
    })
    this.watch(options.watched)
    this.#actor.start()
    this.#actor.send({ type: 'open' })
  }

  receive(frame: Downlink): void {
    const { calls, readiness, services } = this.#assembly
    if (frame.kind === 'cancel') {
      calls.cancel(frame.id)
      services.cancel(frame.id)
    } else if (readiness.failure) {
      this.#parts.up({ kind: 'failure', id: frame.id, error: toErrorData(readiness.failure) })
    } else if (frame.kind === 'call') calls.begin(frame)
    else void services.serve(frame)
  }

  /** Whether somebody looks on from now: then events, children and messages are shown too. */
  watch(isWatched: boolean): void {
    const { inspection } = this.#assembly
    if (isWatched) inspection.begin(this.#actor)
    else inspection.end()
  }

  /** The host is behind: the wire is read no further until it has caught up. */
  pause(): void {
    this.#host = 'behind'
    this.#parts.transport.pause?.()
  }

  resume(): void {
    this.#host = 'keepsUp'
    this.#parts.transport.resume?.()
  }

  close(): Promise<void> {
    this.#tell({ type: 'close' })
    return this.ended
  }

  #tell(event: ConnectionEvent): void {
    if (this.#actor.getSnapshot().status === 'active') this.#actor.send(event)
  }

  /** Acts on what the machine decided, and shows it to the host. */
  #follow(snapshot: MachineSnapshot): void {
    this.#show(snapshot)
    const { context } = snapshot
    if (snapshot.matches('modern') || snapshot.matches('legacy')) this.#ready(context)
    else if (snapshot.matches('closing') || snapshot.matches('closed')) {
      this.#end(context.failure ? fromErrorData(context.failure) : new TransportClosedError())
    } else this.#assembly.readiness.suspend()
  }

  /** What is known of a server is big and seldom changes: counters go without it. */
  #show(snapshot: MachineSnapshot): void {
    const { value, context } = snapshot
    const before = this.#shown
    this.#shown = snapshot
    if (before?.value === value && before.context === context) return
    const { up } = this.#parts
    if (before && isSameBut(before.context, context))
      up({ kind: 'moved', value, counters: countersOf(context) })
    else up({ kind: 'snapshot', snapshot: { value, context } })
  }

  #ready({ era, version, capabilities }: ConnectionContext): void {
    const { calls, readiness, services, stamps, subscriptions } = this.#assembly
    if (readiness.peer || !era || !version) return
    const peer = stamps.peer(era, version)
    readiness.become(peer, capabilities)
    services.introduce(capabilities)
    subscriptions.renew()
    calls.flush(peer)
  }

  #end(failure: McpError): void {
    const { calls, correlator, readiness, serverRequests, subscriptions } = this.#assembly
    if (readiness.failure) return
    // Closing takes no longer for somebody who still signs in.
    this.#serverClock?.goOn()
    readiness.end(failure)
    correlator.failAll(failure)
    calls.failAll(failure)
    subscriptions.failAll(failure)
    serverRequests.abandonAll(failure)
  }

  /** A fault of our own: the machine is dead, the process behind the wire must not outlive it. */
  #crash(error: unknown): Promise<void> {
    this.#end(
      new InternalError('The connection failed inside mcp-troupe; please report it', { cause: error }),
    )
    return this.#parts.transport.close().catch(() => {})
  }

  /** stderr is never paused, or a server would hang in its own log: what comes too fast is left out. */
  #forwardStderr(line: string): void {
    if (this.#host === 'keepsUp') return this.#parts.up({ kind: 'stderr', line })
    this.#assembly.warnings.warn('a line of stderr was left out', 'they come faster than the host reads')
  }

  #events(): TransportEvents {
    const { up, options } = this.#parts
    const { inbox, readiness, sender, serverRequests, warnings } = this.#assembly
    return {
      message: (message, text) => {
        sender.trace('received', text, message)
        try {
          inbox.receive(message, text.length)
        } catch (error) {
          // Nothing inbound is fatal, also not what nobody thought of.
          warnings.warn('a message could not be handled', thrownMessage(error))
        }
      },
      noise: (sample) => warnings.warn('the wire carried something that is no message', sample),
      oversize: (id, maxMessageBytes) => inbox.oversize(id, maxMessageBytes),
      failed: (id, failure, wasRefused) => inbox.failed(id, failure, wasRefused),
      sessionLost: () => {
        serverRequests.abandonAll(
          new TransportClosedError('The server forgot the session the question belongs to'),
        )
        // Before the machine acts on it: a new handshake is of no version yet.
        readiness.suspend()
        up({ kind: 'toolsChanged' })
        this.#tell({ type: 'session.lost' })
      },
      authorizing: (isUnderWay) => (isUnderWay ? this.#serverClock?.stop() : this.#serverClock?.goOn()),
      stream: (stream) => this.#tell({ type: 'stream.changed', stream }),
      stderr: (line) => options.forwardStderr && this.#forwardStderr(line),
      spawned: (processGroupId) => up({ kind: 'spawned', processGroupId }),
      reaped: (processGroupId) => up({ kind: 'reaped', processGroupId }),
      closed: (failure) => {
        this.#end(failure ?? new TransportClosedError())
        this.#tell({ type: 'wire.closed', failure: failure && toErrorData(failure) })
      },
    }
  }
}

function countersOf({ waiting, stream, sessionLosses }: ConnectionContext): ConnectionCounters {
  return { waiting, stream, sessionLosses }
}

/** Whether two contexts differ in nothing but their counters. */
function isSameBut(before: ConnectionContext, after: ConnectionContext): boolean {
  return isShallowEqual({ ...before, ...countersOf(after) }, after)
}

function isShallowEqual<Value extends object>(one: Value, other: Value): boolean {
  const values = new Map<string, unknown>(Object.entries(one))
  return Object.entries(other).every(([key, value]) => values.get(key) === value)
}
