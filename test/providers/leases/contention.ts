import { LeaseTable } from '../../../src/providers/leases/lease-table.ts'
import { TestClock } from '../../../src/testing/index.ts'
import { deferred } from '../../model/deferred.ts'

export interface ContentionOptions {
  readonly agents: number
  readonly paths: number
  /** How often each agent takes paths, works, and gives them back. */
  readonly rounds: number
}

/** One agent's turn at some paths. Times in simulated ms; `came` and `served` count the turns of all. */
export interface Turn {
  readonly agent: string
  readonly paths: readonly string[]
  readonly came: number
  readonly served: number
  readonly waitedMs: number
}

export interface Contention {
  readonly turns: readonly Turn[]
  readonly refusals: number
  readonly longestQueue: number
  readonly simulatedMs: number
  /** Timers left behind. */
  readonly pending: number
}

/** Agents that all want one to three of few paths, each again and again, in simulated time. The same every time. */
export async function contend({ agents, paths, rounds }: ContentionOptions): Promise<Contention> {
  const clock = new TestClock()
  const table = new LeaseTable({ clock })
  const chance = chances(7)
  const turns: Turn[] = []
  let came = 0
  let refusals = 0
  let longestQueue = 0

  const work = async (agent: string) => {
    for (let round = 0; round < rounds; round += 1) {
      const wanted = choose(chance, paths)
      const sinceMs = clock.now()
      const cameAs = came++
      const outcome = await table.acquire({ holder: agent, paths: wanted, waitMs: 86_400_000 })
      if (outcome.kind !== 'granted') {
        refusals += 1
        continue
      }
      turns.push({
        agent,
        paths: wanted,
        came: cameAs,
        served: turns.length,
        waitedMs: clock.now() - sinceMs,
      })
      const landed = deferred<void>()
      clock.setTimeout(() => landed.resolve(), 50 + Math.floor(chance() * 450))
      await landed.promise
      await table.release({ holder: agent })
    }
  }
  const all = Array.from({ length: agents }, (_, agent) => work(`agent-${agent}`))
  longestQueue = (await table.status()).waiters.length
  let isOver = false
  void Promise.all(all).then(() => {
    isOver = true
  })
  for (await clock.settle(); !isOver && clock.nextInMs !== undefined; )
    await clock.advanceAsync(clock.nextInMs)
  return { turns, refusals, longestQueue, simulatedMs: clock.now(), pending: clock.pending }
}

function choose(chance: () => number, paths: number): readonly string[] {
  const count = 1 + Math.floor(chance() * 3)
  return Array.from({ length: count }, () => `/repo/file-${Math.floor(chance() * paths)}`)
}

/** Random numbers that are the same every time. */
function chances(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
}
