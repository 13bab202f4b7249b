import { isMainThread } from 'node:worker_threads'
import { posixGroup } from '../src/transports/stdio/process-group.ts'
import { terminate } from '../src/transports/stdio/terminate.ts'

const deadlySignals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const

/**
 * The process groups of every server of this process: whatever ends the host ends them too. Listeners stand only while there is
 * something to kill. Where nobody can act, a server gets end-of-file and no more: a host killed by SIGKILL, one that exits before
 * it has heard of a server its thread just started, one that itself runs in a worker thread, which hears of no signals.
 */
export class ProcessLedger {
  readonly #groups = new Set<number>()

  add(processGroupId: number): void {
    if (this.#groups.size === 0) this.#listen()
    this.#groups.add(processGroupId)
  }

  remove(processGroupId: number): void {
    if (this.#groups.delete(processGroupId) && this.#groups.size === 0) this.#unlisten()
  }

  /**
   * Kills at once, for groups whose owner is gone; resolves when nothing of the group runs. The dead leader stays in the process
   * table until the host exits: only the event loop that started it could reap it, and that died with its thread.
   */
  async kill(processGroupId: number): Promise<void> {
    killGroup(processGroupId)
    this.remove(processGroupId)
    if (process.platform !== 'win32') await terminate(posixGroup(processGroupId), 0)
  }

  get size(): number {
    return this.#groups.size
  }

  readonly #killAll = () => {
    for (const group of this.#groups) killGroup(group)
  }

  /** An application with a handler of its own decides itself, and is followed at its exit. */
  readonly #onSignal = (signal: NodeJS.Signals) => {
    if (process.listenerCount(signal) > 1) return
    this.#killAll()
    this.#unlisten()
    process.kill(process.pid, signal)
  }

  #listen(): void {
    process.on('exit', this.#killAll)
    if (isMainThread) for (const signal of deadlySignals) process.on(signal, this.#onSignal)
  }

  #unlisten(): void {
    process.off('exit', this.#killAll)
    if (isMainThread) for (const signal of deadlySignals) process.off(signal, this.#onSignal)
  }
}

export const processLedger = new ProcessLedger()

function killGroup(processGroupId: number): void {
  try {
    // Windows has no groups; its children die with their pipes.
    process.kill(process.platform === 'win32' ? processGroupId : -processGroupId, 'SIGKILL')
  } catch {
    // Gone already.
  }
}
