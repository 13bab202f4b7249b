import { availableParallelism } from 'node:os'
import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { ConnectionTask } from './host-connection.ts'

/** Connections that may share one thread; traffic, not this number, decides what a thread can carry. */
const connectionsPerThread = 1_024
const mostThreads = 4

let pool: Piscina<ConnectionTask, void> | undefined

/** The one pool of this process, made on first use. Its idle threads do not keep the process alive. */
export function connectionPool(): Piscina<ConnectionTask, void> {
  pool ??= createPool()
  return pool
}

/** Ends a thread that no longer turns; every connection on it fails, and the pool replaces it. */
export function terminateThread(threadId: number): void {
  void pool?.threads.find((thread) => thread.threadId === threadId)?.terminate()
}

function createPool(): Piscina<ConnectionTask, void> {
  const threads = Math.max(1, Math.min(mostThreads, availableParallelism() - 1))
  const created = new Piscina<ConnectionTask, void>({
    // Source and build differ in their extension only.
    filename: fileURLToPath(new URL(`./connection-worker${extname(import.meta.url)}`, import.meta.url)),
    // Equal, or the first thread fills up before a second one starts.
    minThreads: threads,
    maxThreads: threads,
    concurrentTasksPerWorker: connectionsPerThread,
    idleTimeout: Number.POSITIVE_INFINITY,
    // 'sync' would freeze a thread's timers and ports once a task of it returned.
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: 4_096 },
  })
  // A dead thread is reported by the tasks it took down; without a listener it would take the process along.
  created.on('error', () => {})
  return created
}
