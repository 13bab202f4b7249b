import { extname } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Piscina } from 'piscina'
import type { FileMatch, SearchTask } from './search-worker.ts'

let pool: Piscina<SearchTask, readonly FileMatch[]> | undefined

/** Searches in a thread; the buffers of the files go there. An abort ends the thread in the middle of whatever it does, and another takes its place. */
export async function runSearch(task: SearchTask, signal: AbortSignal): Promise<readonly FileMatch[]> {
  pool ??= createPool()
  return pool.run(task, { signal, transferList: task.files.map(({ buffer }) => buffer as ArrayBuffer) })
}

function createPool(): Piscina<SearchTask, readonly FileMatch[]> {
  const created = new Piscina<SearchTask, readonly FileMatch[]>({
    // Source and build differ in their extension only.
    filename: fileURLToPath(new URL(`./search-worker${extname(import.meta.url)}`, import.meta.url)),
    // One more than one: an expression that takes for ever does not keep others waiting.
    minThreads: 2,
    maxThreads: 2,
    idleTimeout: Number.POSITIVE_INFINITY,
    atomics: 'disabled',
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  })
  // A thread that dies is reported by the task it took down.
  created.on('error', () => {})
  return created
}
