import { type Clock, systemClock } from '../../clock.ts'
import type { ProcessGroup } from './process-group.ts'

/** SIGTERM, `graceMs`, SIGKILL; resolves when nothing of the group is left. Says whether there was anything to kill. */
export async function terminate(
  group: ProcessGroup,
  graceMs: number,
  clock: Clock = systemClock,
): Promise<boolean> {
  if (group.isEmpty()) return false
  await group.kill('SIGTERM')
  if (await empties(group, graceMs, clock)) return true
  await group.kill('SIGKILL')
  // Bounded: what hangs in a system call dies when that returns, and nobody can hasten it.
  await empties(group, afterKillMs, clock)
  return true
}

/** Nothing tells us of the end of a process that is not our child, so this looks again and again, ever slower. */
async function empties(group: ProcessGroup, withinMs: number, clock: Clock): Promise<boolean> {
  const deadline = clock.now() + withinMs
  for (let pauseMs = 1; !group.isEmpty(); pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
    const leftMs = deadline - clock.now()
    if (leftMs <= 0) return false
    await new Promise<void>((resolve) => clock.setTimeout(resolve, Math.min(pauseMs, leftMs)))
  }
  return true
}

const longestPauseMs = 50
const afterKillMs = 1000
