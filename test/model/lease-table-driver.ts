import { LeaseTable } from '../../src/index.ts'
import { TestClock } from '../../src/testing/index.ts'
import type { LeaseTableExpectation, LeaseTableSpecificationEvent } from './lease-table-specification.ts'

const paths = ['/w/x']
const ttlMs = 6_000
/** Longer than a lease: only a holder that refreshes it outlasts the wait. */
const waitMs = 10_000

/** The real table, and two agents that want one path of it. */
export class LeaseTableDriver {
  readonly #clock = new TestClock()
  readonly #table = new LeaseTable({ clock: this.#clock, defaultTtlMs: ttlMs })
  #write: readonly number[] = []
  #patience = new AbortController()
  #answers: string[] = []
  #waits = 0

  async act({ type }: LeaseTableSpecificationEvent): Promise<void> {
    await this.#do(type)
    const { waiters } = await this.#table.status()
    if (this.#answers.length + waiters.length !== this.#waits) throw new Error('b was lost, or told twice')
  }

  async known(): Promise<LeaseTableExpectation> {
    const { state, leases, pins } = await this.#table.status()
    const [lease, ...more] = leases
    if (more.length > 0) throw new Error('Two leases on one path')
    if (pins.length !== (lease && lease.pins > 0 ? 1 : 0))
      throw new Error('The pins are not those of the leases')
    if (!lease) return { state }
    const holder = lease.holder === 'a' ? 'a' : 'b'
    return { state, lease: { holder, pins: lease.pins, releasePending: lease.releasePending } }
  }

  get timers(): number {
    return this.#clock.pending
  }

  async #do(type: LeaseTableSpecificationEvent['type']): Promise<void> {
    switch (type) {
      case 'a acquires':
        return this.#expect('granted')
      case 'a is refused':
        return this.#expect('refused')
      case 'a writes': {
        const outcome = await this.#table.pin({ holder: 'a', paths, coverage: 'required' })
        if (outcome.kind !== 'pinned') throw new Error('a may not write')
        this.#write = outcome.generations
        return
      }
      case 'the write lands':
        return this.#table.unpin(this.#write)
      case 'a releases':
        await this.#table.release({ holder: 'a', paths })
        return
      case 'the lease runs out':
        return this.#passLease()
      case 'b waits':
        return this.#wait()
      case 'b gives up':
        return this.#patience.abort()
      case 'the wait runs out':
        return this.#passWait()
      case 'b is gone':
        await this.#table.releaseHolder('b')
        return
      case 'b releases':
        await this.#table.release({ holder: 'b' })
        return
      case 'all is released':
        await this.#table.releaseAll()
        return
    }
  }

  async #expect(kind: 'granted' | 'refused'): Promise<void> {
    const outcome = await this.#table.acquire({ holder: 'a', paths })
    if (outcome.kind !== kind) throw new Error(`a was not ${kind}, but ${outcome.kind}`)
  }

  #wait(): void {
    this.#patience = new AbortController()
    this.#waits += 1
    void this.#table
      .acquire({ holder: 'b', paths, waitMs }, { signal: this.#patience.signal })
      .then(({ kind }) => this.#answers.push(kind))
  }

  async #passLease(): Promise<void> {
    const [lease] = (await this.#table.status()).leases
    this.#clock.advance(lease?.expiresInMs ?? 0)
  }

  async #passWait(): Promise<void> {
    for (;;) {
      const { leases, waiters } = await this.#table.status()
      const [waiter] = waiters
      if (!waiter) return
      if (leases.some(({ releasePending }) => !releasePending)) await this.#expect('granted')
      this.#clock.advance(Math.min(waiter.endsInMs, ttlMs - 1))
    }
  }
}
