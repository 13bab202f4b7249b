import { readdirSync } from 'node:fs'
import { setTimeout as after } from 'node:timers/promises'
import type { Cast } from './cast.ts'

/** What this process holds while nothing goes on. */
export interface Holding {
  readonly rssMb: number
  readonly heapMb: number
  readonly handles: number
  readonly files: number
  readonly processes: number
}

export async function measure(cast: Cast): Promise<Holding> {
  // What has just ended is let go of first.
  await after(1_000)
  global.gc?.()
  const { rss, heapUsed } = process.memoryUsage()
  return {
    rssMb: Math.round(rss / 2 ** 20),
    heapMb: Math.round(heapUsed / 2 ** 20),
    handles: process.getActiveResourcesInfo().length,
    files: readdirSync('/proc/self/fd').length,
    processes: cast.pids().length,
  }
}

/** How much more than after the warm-up it may hold at the end. Threads of the pool died and were replaced in between. */
const slack: Holding = { rssMb: 96, heapMb: 12, handles: 8, files: 12, processes: 0 }

export function growthBeyondBounds(before: Holding, after: Holding): readonly string[] {
  const keys = Object.keys(slack) as (keyof Holding)[]
  return keys
    .filter((key) => after[key] > before[key] + slack[key])
    .map((key) => `${key} grew from ${before[key]} to ${after[key]}; ${slack[key]} more are allowed`)
}
