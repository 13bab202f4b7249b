import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

/**
 * A process of the group that still runs, by /proc. Where that cannot be read it is the group's own number: then only
 * signals tell. But signals reach zombies too, and an orphan stays one until process 1 reaps it: seconds under some
 * inits, for ever in a container whose process 1 is an ordinary program.
 */
export function findLivingMember(
  group: number,
  platform: NodeJS.Platform = process.platform,
): number | undefined {
  if (platform !== 'linux' || !isOurProc()) return group
  return readdirSync('/proc')
    .map(Number)
    .find((pid) => isLivingMember(pid, group))
}

/** False also where /proc cannot be read. */
export function isLivingMember(pid: number, group: number): boolean {
  // Most of what stands in /proc beside the processes.
  if (Number.isNaN(pid)) return false
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
    // `pid (name) state parent group …`: the name may itself hold blanks and parentheses.
    const [state, , processGroup] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return processGroup === String(group) && state !== 'Z' && state !== 'X'
  } catch {
    return false
  }
}

/** False without /proc, or with that of another PID namespace, whose numbers mean other processes. */
function isOurProc(): boolean {
  try {
    return readlinkSync('/proc/self') === String(process.pid)
  } catch {
    return false
  }
}
