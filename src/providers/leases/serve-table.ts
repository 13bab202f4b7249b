import type { MessagePort } from 'node:worker_threads'
import { toErrorData } from '../../error-data.ts'
import { checkUnpin } from './check-requests.ts'
import type { AcquireRequest, Leasing, PinOutcome, PinRequest } from './leasing.ts'
import { isRequest, type TableReply, type TableRequest } from './table-frames.ts'

/** Answers for a table at a port. When the port closes, so does everything that came through it. It keeps no process alive. */
export function serveTable(table: Leasing, port: MessagePort): void {
  const session = new Session(table, port)
  port.on('message', (frame: unknown) => isRequest(frame) && void session.serve(frame))
  port.on('close', () => session.end())
  port.unref()
  reply(port, { kind: 'here', defaultTtlMs: table.defaultTtlMs })
}

class Session {
  readonly #table: Leasing
  readonly #port: MessagePort
  readonly #waits = new Map<number, AbortController>()
  readonly #holders = new Set<string>()
  readonly #pinned = new Map<number, number>()

  constructor(table: Leasing, port: MessagePort) {
    this.#table = table
    this.#port = port
  }

  async serve(request: TableRequest): Promise<void> {
    if (request.kind === 'cancel') return this.#waits.get(request.id)?.abort()
    const { id } = request
    try {
      reply(this.#port, { kind: 'answer', id, answer: await this.#answer(request) })
    } catch (error) {
      reply(this.#port, { kind: 'failure', id, error: toErrorData(error) })
    }
  }

  end(): void {
    for (const wait of this.#waits.values()) wait.abort()
    for (const [generation, pins] of this.#pinned)
      for (let pin = 0; pin < pins; pin += 1) void this.#table.unpin([generation])
    for (const holder of this.#holders) void this.#table.releaseHolder(holder)
  }

  #answer(request: Exclude<TableRequest, { kind: 'cancel' }>): Promise<unknown> {
    switch (request.kind) {
      case 'acquire':
        return this.#acquire(request.id, request.takes)
      case 'release':
        return this.#table.release(request.takes)
      case 'releaseHolder':
        return this.#table.releaseHolder(request.takes)
      case 'releaseAll':
        return this.#table.releaseAll()
      case 'pin':
        return this.#pin(request.takes)
      case 'unpin':
        return this.#unpin(request.takes)
      case 'status':
        return this.#table.status()
    }
  }

  async #acquire(id: number, request: AcquireRequest): Promise<unknown> {
    const wait = new AbortController()
    this.#waits.set(id, wait)
    try {
      const outcome = await this.#table.acquire(request, {
        signal: wait.signal,
        onWait: (conflict) => reply(this.#port, { kind: 'waiting', id, conflict }),
      })
      if (outcome.kind === 'granted') this.#holders.add(request.holder)
      return outcome
    } finally {
      this.#waits.delete(id)
    }
  }

  async #pin(request: PinRequest): Promise<PinOutcome> {
    const outcome = await this.#table.pin(request)
    if (outcome.kind === 'pinned') this.#count(outcome.generations, 1)
    return outcome
  }

  /** Only what was pinned through this port. */
  #unpin(generations: readonly number[]): Promise<void> {
    checkUnpin(generations)
    const own = [...new Set(generations)].filter((generation) => this.#pinned.has(generation))
    this.#count(own, -1)
    return this.#table.unpin(own)
  }

  #count(generations: readonly number[], by: 1 | -1): void {
    for (const generation of generations) {
      const pins = (this.#pinned.get(generation) ?? 0) + by
      if (pins > 0) this.#pinned.set(generation, pins)
      else this.#pinned.delete(generation)
    }
  }
}

function reply(port: MessagePort, message: TableReply): void {
  port.postMessage(message)
}
