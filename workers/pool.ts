import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import { TransportClosedError } from '../src/errors.ts'
import { thrownMessage } from '../src/thrown-message.ts'
import type { ConnectionTask } from './host-connection.ts'

const mostThreads = 4

type Pool = Piscina<ConnectionTask, void>

let pool: Pool | undefined
/** How many connections each pool runs: those that were followed by another one too, until their last connection ended. */
const running = new Map<Pool, number>()
/** Why a pool has no threads. */
const bootFailures = new WeakMap<Pool, unknown>()

/** The pool for new connections, made on first use. Its idle threads do not keep the process alive. */
export function connectionPool(): Pool {
  // Once a thread died before it was ready, Piscina replaces none that dies after it.
  if (pool && pool.threads.length < pool.options.minThreads) pool = undefined
  pool ??= createPool()
  return pool
}

/** Runs one connection in a thread; settles when it has ended. @throws TransportClosedError when its thread died, or none could start. */
export async function runConnection(task: ConnectionTask): Promise<void> {
  const used = connectionPool()
  running.set(used, (running.get(used) ?? 0) + 1)
  try {
    await used.run(task, { transferList: [task.data, task.control] })
  } catch (cause) {
    await giveUpIfBare(used, cause)
    if (!bootFailures.has(used))
      throw new TransportClosedError('The worker thread of this connection died', { cause })
    const failure = bootFailures.get(used)
    throw new TransportClosedError(`No worker thread can be started: ${thrownMessage(failure)}`, {
      cause: failure,
    })
  } finally {
    leave(used)
  }
}

/** Ends a thread that no longer turns; every connection on it fails, and the pool replaces it. */
export function terminateThread(threadId: number): void {
  for (const { threads } of running.keys())
    void threads.find((thread) => thread.threadId === threadId)?.terminate()
}

function leave(used: Pool): void {
  const others = (running.get(used) ?? 1) - 1
  if (others > 0) return void running.set(used, others)
  running.delete(used)
  if (used !== pool) void used.destroy()
}

function createPool(): Pool {
  const threads = Math.max(1, Math.min(mostThreads, availableParallelism() - 1))
  const created = new Piscina<ConnectionTask, void>({
    // Source and build differ in their extension only.
    filename: fileURLToPath(new URL(`./connection-worker${extname(import.meta.url)}`, import.meta.url)),
    // Equal, or the first thread fills up before a second one starts.
    minThreads: threads,
    maxThreads: threads,
    // Traffic, not a number, decides what a thread can carry; whoever is over a number would wait for somebody to leave.
    concurrentTasksPerWorker: Number.MAX_SAFE_INTEGER,
    idleTimeout: Number.POSITIVE_INFINITY,
    // 'sync' would freeze a thread's timers and ports once a task of it returned.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: 4_096 },
  })
  // A dead thread is reported by the tasks it took down, unless it had none yet.
  created.on('error', (error) => void giveUpIfBare(created, error))
  return created
}

/** Threads that cannot even start are not replaced: whoever waits for one waits in vain. The next connection tries anew. */
async function giveUpIfBare(failed: Pool, failure: unknown): Promise<void> {
  // One that had started is replaced in this turn.
  await setImmediate()
  if (failed.threads.length > 0 || bootFailures.has(failed)) return
  bootFailures.set(failed, failure)
  if (pool === failed) pool = undefined
  void failed.destroy()
}
