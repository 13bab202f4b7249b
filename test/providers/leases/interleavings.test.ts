import fc from 'fast-check'
import { expect, it } from 'vitest'
import { isUnder } from '../../../src/paths/containment.ts'
import { readLocation } from '../../../src/paths/location.ts'
import { LeaseTable } from '../../../src/providers/leases/lease-table.ts'
import type { AcquireOutcome, LeaseStatus } from '../../../src/providers/leases/leasing.ts'
import { TestClock } from '../../../src/testing/index.ts'

type Step =
  | {
      readonly does: 'acquire'
      readonly holder: string
      readonly paths: readonly string[]
      readonly ttlMs: number
      readonly waitMs: number
    }
  | { readonly does: 'release'; readonly holder: string; readonly paths: readonly string[] | undefined }
  | { readonly does: 'go'; readonly holder: string }
  | { readonly does: 'give up'; readonly holder: string }
  | { readonly does: 'write'; readonly holder: string; readonly path: string }
  | { readonly does: 'land'; readonly nth: number }
  | { readonly does: 'pass'; readonly ms: number }

const holder = fc.constantFrom('a', 'b', 'c', 'd', 'e')
const path = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('/w/a', '/w/b', '/v', '/u') },
  fc.constantFrom('/', '/w', '/w/a/x', '/w/a/y', '/w/B', 'a', 'a/x', '/w/../v'),
)
const paths = fc.array(path, { minLength: 1, maxLength: 2, size: 'max' })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: fc.constant('acquire' as const),
      holder,
      paths,
      ttlMs: fc.constantFrom(100, 1_000, 1_000),
      waitMs: fc.constantFrom(0, 10, 1_000, 1_000),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      does: fc.constant('release' as const),
      holder,
      paths: fc.option(paths, { nil: undefined }),
    }),
  },
  fc.record({ does: fc.constant('go' as const), holder }),
  fc.record({ does: fc.constant('give up' as const), holder }),
  { weight: 1, arbitrary: fc.record({ does: fc.constant('write' as const), holder, path }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('land' as const), nth: fc.nat(3) }) },
  {
    weight: 2,
    arbitrary: fc.record({ does: fc.constant('pass' as const), ms: fc.constantFrom(10, 10, 10, 100, 1_000) }),
  },
)

interface Request {
  readonly holder: string
  readonly cancel: AbortController
  /** Undefined while it waits. */
  outcome: AcquireOutcome['kind'] | undefined
}

/** Agents at work on one table, and what must hold of it whatever they do. */
class Workspace {
  readonly #clock = new TestClock()
  readonly #table = new LeaseTable({ clock: this.#clock })
  /** In the order they came. */
  readonly #requests: Request[] = []
  readonly #writes: (readonly number[])[] = []
  #lastGeneration = 0

  async take(step: Step): Promise<void> {
    await this.#do(step)
    await this.#clock.settle()
    const status = await this.#table.status()
    this.#nobodySharesAPlace(status)
    this.#whoWaitsHoldsNothing(status)
    this.#everybodyIsAnsweredOrWaits(status)
    this.#whoWaitsIsBlockedAndInNoCycle(status)
    this.#nobodyWasOvertaken(status)
  }

  /** Writes land, and time passes: then everybody has been answered, and everything is free. */
  async end(): Promise<void> {
    for (const generations of this.#writes) await this.#table.unpin(generations)
    await this.#clock.advanceAsync(10_000)
    expect(await this.#table.status()).toEqual({ state: 'free', leases: [], waiters: [], pins: [] })
    expect(this.#requests.filter(({ outcome }) => !outcome)).toEqual([])
    expect(this.#clock.pending).toBe(0)
  }

  async #do(step: Step): Promise<void> {
    switch (step.does) {
      case 'acquire':
        return this.#acquire(step)
      case 'release':
        await this.#table.release({ holder: step.holder, paths: step.paths })
        return
      case 'go':
        await this.#table.releaseHolder(step.holder)
        return
      case 'give up':
        return this.#requests
          .find(({ holder, outcome }) => holder === step.holder && !outcome)
          ?.cancel.abort()
      case 'write': {
        const { holder, path } = step
        const outcome = await this.#table.pin({ holder, paths: [path], coverage: 'required' })
        if (outcome.kind === 'pinned') this.#writes.push(outcome.generations)
        return
      }
      case 'land': {
        const [generations] = this.#writes.splice(step.nth, 1)
        if (generations) await this.#table.unpin(generations)
        return
      }
      case 'pass':
        return this.#clock.advance(step.ms)
    }
  }

  #acquire({ holder, paths, ttlMs, waitMs }: Extract<Step, { does: 'acquire' }>): void {
    const request: Request = { holder, cancel: new AbortController(), outcome: undefined }
    this.#requests.push(request)
    void this.#table
      .acquire({ holder, paths, ttlMs, waitMs }, { signal: request.cancel.signal })
      .then(({ kind }) => {
        request.outcome = kind
      })
  }

  #nobodySharesAPlace({ leases }: LeaseStatus): void {
    for (const one of leases)
      for (const other of leases)
        if (one.holder !== other.holder)
          expect(overlap(one.path, other.path), `${one.path} ${other.path}`).toBe(false)
  }

  #whoWaitsHoldsNothing({ leases, waiters }: LeaseStatus): void {
    const waiting = new Set(waiters.map(({ holder }) => holder))
    expect(waiting.size, 'nobody waits twice').toBe(waiters.length)
    expect(leases.filter(({ holder, releasePending }) => waiting.has(holder) && !releasePending)).toEqual([])
  }

  #everybodyIsAnsweredOrWaits({ waiters }: LeaseStatus): void {
    const open = this.#requests.filter(({ outcome }) => !outcome).map(({ holder }) => holder)
    expect(waiters.map(({ holder }) => holder)).toEqual(open)
  }

  #whoWaitsIsBlockedAndInNoCycle({ waiters }: LeaseStatus): void {
    const blockers = new Map(
      waiters.map(({ holder, blockers }) => [
        holder,
        blockers.filter(({ holder: other }) => waiters.some(({ holder }) => holder === other)),
      ]),
    )
    for (const { holder, blockers } of waiters)
      expect(blockers, `${holder} waits for something`).not.toEqual([])
    const reaches = (from: string, seen: readonly string[]): boolean =>
      seen.includes(from) ||
      (blockers.get(from) ?? []).some(({ by, holder }) => by === 'waiter' && reaches(holder, [...seen, from]))
    for (const holder of blockers.keys())
      expect(reaches(holder, []), `${holder} waits for itself`).toBe(false)
  }

  /** A new lease overlaps nothing that somebody who came earlier still waits for. */
  #nobodyWasOvertaken({ leases, waiters }: LeaseStatus): void {
    for (const { path, holder, generation } of leases) {
      if (generation <= this.#lastGeneration) continue
      const earlier = waiters.filter((waiter) => this.#cameAt(waiter.holder) < this.#cameAt(holder))
      for (const { holder: waiter, paths } of earlier)
        expect(
          paths.filter((wanted) => overlap(wanted, path)),
          `${holder} overtook ${waiter}`,
        ).toEqual([])
    }
    this.#lastGeneration = Math.max(this.#lastGeneration, ...leases.map(({ generation }) => generation))
  }

  /** When it came for what it waits for, or was given last. */
  #cameAt(holder: string): number {
    return this.#requests.findLastIndex(
      (request) => request.holder === holder && (!request.outcome || request.outcome === 'granted'),
    )
  }
}

it('never shares a place, loses a waiter, closes a cycle or lets anybody overtake, whatever the interleaving', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40, size: 'max' }), async (steps) => {
      const workspace = new Workspace()
      for (const step of steps) await workspace.take(step)
      await workspace.end()
    }),
    { numRuns: 150 },
  )
})

function overlap(one: string, other: string): boolean {
  const [a, b] = [readLocation(one), readLocation(other)]
  if (!a || !b) throw new Error(`${one} or ${other} leads nobody knows where`)
  return isUnder(a, b) !== 'no' || isUnder(b, a) !== 'no'
}
