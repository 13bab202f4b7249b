import { findLivingMember, isLivingMember } from './living-members.ts'

/** A server with everything it started. On POSIX its process group, on Windows the tree below it. */
export interface ProcessGroup {
  readonly id: number
  isEmpty(): boolean
  /** Harmless when nothing is left. */
  kill(signal: 'SIGTERM' | 'SIGKILL'): Promise<void>
}

/** The group that `leader` leads because it was spawned detached. */
export function posixGroup(leader: number): ProcessGroup {
  let isGone = false
  let witness = leader
  const isEmpty = (): boolean => {
    // Once empty, its number may be given to a stranger: never asked for or signalled again.
    isGone ||= !signal(-leader, 0) || !seesLiving()
    return isGone
  }
  const seesLiving = (): boolean => {
    // Asked again and again while a group ends: the one seen last spares a walk through all processes.
    if (isLivingMember(witness, leader)) return true
    const member = findLivingMember(leader)
    witness = member ?? leader
    return member !== undefined
  }
  return {
    id: leader,
    isEmpty,
    kill: async (name) => {
      if (!isGone) signal(-leader, name)
    },
  }
}

/**
 * What Windows has instead. It has no signals either: the first kill is final. `hasExited` tells of the root, whose
 * number may then be a stranger's; `run` starts a program and awaits it.
 */
export function windowsTree(
  root: number,
  hasExited: () => boolean,
  run: (file: string, args: readonly string[]) => Promise<unknown>,
): ProcessGroup {
  return {
    id: root,
    // The tree below a process that has ended cannot be found any more.
    isEmpty: hasExited,
    kill: async () => {
      if (!hasExited()) await run('taskkill', ['/pid', String(root), '/T', '/F'])
    },
  }
}

/** False when there is no such process or group (ESRCH), or none we may touch (EPERM; macOS says so of zombies). */
function signal(target: number, name: 'SIGTERM' | 'SIGKILL' | 0): boolean {
  try {
    return process.kill(target, name)
  } catch {
    return false
  }
}
