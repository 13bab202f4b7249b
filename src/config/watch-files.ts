import { type FSWatcher, watch } from 'node:fs'
import { basename, dirname } from 'node:path'
import { type Clock, systemClock } from '../clock.ts'

/**
 * Calls back once whenever any of these files changed and then stood still for `settleMs` (100). Watches their folders: an editor
 * that saves puts another file in their place. Returns what stops it. Does not keep the process running.
 * @throws when a folder cannot be watched
 */
export function watchFiles(
  paths: readonly string[],
  onChange: () => void,
  { settleMs = 100, clock = systemClock }: { settleMs?: number; clock?: Clock } = {},
): () => void {
  let timer: unknown
  const changed = () => {
    clock.clearTimeout(timer)
    timer = clock.setTimeout(onChange, settleMs)
  }
  const watchers: FSWatcher[] = []
  const stop = () => {
    clock.clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
  try {
    for (const folder of new Set(paths.map((path) => dirname(path)))) {
      const names = new Set(paths.filter((path) => dirname(path) === folder).map((path) => basename(path)))
      const watcher = watch(folder, { persistent: false })
      watchers.push(watcher)
      // Some systems do not say which file it was.
      watcher.on('change', (_, name) => (name === null || names.has(String(name))) && changed())
      // The folder went away: whoever reads the files says so.
      watcher.on('error', changed)
    }
  } catch (error) {
    stop()
    throw error
  }
  return stop
}
