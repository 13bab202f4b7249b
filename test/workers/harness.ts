import { initialContext } from '../../machines/connection-facts.ts'
import { fromErrorData } from '../../src/error-data.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import type { SubscriptionFilter } from '../../src/protocol/subscriptions.ts'
import { type FakeTransport, TestClock } from '../../src/testing/index.ts'
import { Connection } from '../../workers/connection/connection.ts'
import type { ConnectionOptions } from '../../workers/connection/options.ts'
import type {
  CallFrame,
  ConnectionSnapshot,
  Downlink,
  HookDesk,
  ListMethod,
  Question,
  Uplink,
} from '../../workers/frames.ts'
import { type Deferred, deferred } from '../model/deferred.ts'

export const defaults: ConnectionOptions = {
  protocolVersions: ['2026-07-28'],
  era: 'auto',
  connectTimeoutMs: 30_000,
  probeTimeoutMs: 5_000,
  requestTimeoutMs: 60_000,
  maxTotalTimeoutMs: 0,
  maxInputRounds: 8,
  maxResultChars: undefined,
  clientInfo: { name: 'test', version: '1.0.0' },
  clientCapabilities: {},
  hooks: [],
  tasks: false,
  keepsPrivate: true,
  logLevel: undefined,
  forwardStderr: false,
  trace: false,
  watched: false,
}

/** A host that can be asked everything. */
export const asking = {
  hooks: ['elicit', 'sample', 'listRoots'],
  clientCapabilities: { elicitation: { form: {} }, sampling: {}, roots: {} },
} as const

/** One call of the host: its id, and its answer or error. */
export interface Pending {
  readonly id: number
  readonly answer: Promise<unknown>
}

/** A whole connection on a fake wire and a test's time, and the host's end of it. */
export class Host {
  readonly clock = new TestClock()
  readonly frames: Uplink[] = []
  readonly desk = new TestDesk()
  readonly connection: Connection
  readonly transport: FakeTransport
  readonly #pending = new Map<number, Deferred<unknown>>()
  #nextId = 1

  constructor(transport: FakeTransport, options: Partial<ConnectionOptions> = {}) {
    this.transport = transport
    this.connection = new Connection({
      options: { ...defaults, ...options },
      transport,
      desk: this.desk,
      clock: this.clock,
      up: (frame) => this.#receive(frame),
    })
  }

  /** A host whose connection is ready. */
  static async ready(transport: FakeTransport, options: Partial<ConnectionOptions> = {}): Promise<Host> {
    const host = new Host(transport, options)
    await host.clock.settle()
    return host
  }

  call(method: string, params: JsonObject = {}, extra: Partial<CallFrame> = {}): Pending {
    return this.#request((id) => ({
      kind: 'call',
      id,
      method,
      params: JSON.stringify(params),
      subject: typeof params.name === 'string' ? params.name : undefined,
      meta: '',
      progress: undefined,
      refresh: false,
      budget: undefined,
      ...extra,
    }))
  }

  list(
    method: ListMethod,
    extra: { readonly refresh?: boolean; readonly budget?: CallFrame['budget'] } = {},
  ): Pending {
    return this.#request((id) => ({ kind: 'list', id, method, refresh: false, budget: undefined, ...extra }))
  }

  listen(filter: SubscriptionFilter): Pending {
    return this.#request((id) => ({ kind: 'listen', id, filter }))
  }

  setLevel(level: 'debug' | 'warning'): Pending {
    return this.#request((id) => ({ kind: 'setLevel', id, level }))
  }

  cancel({ id }: Pending): void {
    this.connection.receive({ kind: 'cancel', id })
  }

  /** Every frame of one kind, in order. */
  of<Kind extends Uplink['kind']>(kind: Kind): Extract<Uplink, { kind: Kind }>[] {
    return this.frames.filter((frame): frame is Extract<Uplink, { kind: Kind }> => frame.kind === kind)
  }

  get warnings(): readonly string[] {
    return this.of('warning').map(({ message }) => message)
  }

  /** The machine as the host sees it: the last snapshot, moved on by what came after it. */
  get snapshot(): ConnectionSnapshot {
    return mirrored(this.frames)
  }

  get state(): ConnectionSnapshot['value'] {
    return this.snapshot.value
  }

  #request(frame: (id: number) => Downlink): Pending {
    const id = this.#nextId++
    const result = deferred<unknown>()
    this.#pending.set(id, result)
    // A test that expects a failure looks at it later than it happens.
    result.promise.catch(() => {})
    this.connection.receive(frame(id))
    return { id, answer: result.promise }
  }

  #receive(frame: Uplink): void {
    this.frames.push(frame)
    if (frame.kind === 'result') this.#pending.get(frame.id)?.resolve(frame.result)
    if (frame.kind === 'failure') this.#pending.get(frame.id)?.reject(fromErrorData(frame.error))
  }
}

/** Hooks that a test answers by hand. */
export class TestDesk implements HookDesk {
  readonly asked: (Question & Deferred<unknown>)[] = []
  readonly withdrawn: number[] = []

  ask(question: Question): Promise<unknown> {
    const answer = deferred<unknown>()
    this.asked.push({ ...question, ...answer })
    return answer.promise
  }

  withdraw(questionId: number): void {
    this.withdrawn.push(questionId)
    this.asked.find(({ id }) => id === questionId)?.reject(new Error('withdrawn'))
  }

  async headers(): Promise<Record<string, string>> {
    return {}
  }

  credentials(): Promise<never> {
    return Promise.reject(new Error('nobody signs in here'))
  }

  refused(): Promise<never> {
    return Promise.reject(new Error('nobody signs in here'))
  }
}

export function mirrored(frames: readonly Uplink[]): ConnectionSnapshot {
  let snapshot: ConnectionSnapshot = { value: 'idle', context: initialContext(defaults) }
  for (const frame of frames) {
    if (frame.kind === 'snapshot') snapshot = frame.snapshot
    if (frame.kind === 'moved')
      snapshot = { value: frame.value, context: { ...snapshot.context, ...frame.counters } }
  }
  return snapshot
}
