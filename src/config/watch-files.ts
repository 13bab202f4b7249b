import { type FSWatcher, realpathSync, watch } from 'node:fs'
import { basename, dirname } from 'node:path'

/**
 * Calls back on every sign that one of these files changed, which may be several a change. Watches their folders, since an editor
 * that saves puts another file in their place; of a link also where it leads. Returns what stops it. Keeps no process running.
 * @throws when a folder cannot be watched
 */
export function watchFiles(paths: readonly string[], onChange: () => void): () => void {
  const watchers: FSWatcher[] = []
  const stop = () => {
    for (const watcher of watchers) watcher.close()
  }
  try {
    for (const [folder, names] of namesByFolder(paths)) {
      const watcher = watch(folder, { persistent: false })
      watchers.push(watcher)
      // Some systems do not say which file it was.
      watcher.on('change', (_, name) => (name === null || names.has(String(name))) && onChange())
      // The folder went away: whoever reads the files says so.
      watcher.on('error', onChange)
    }
  } catch (error) {
    stop()
    throw error
  }
  return stop
}

function namesByFolder(paths: readonly string[]): ReadonlyMap<string, ReadonlySet<string>> {
  const folders = new Map<string, Set<string>>()
  for (const path of paths.flatMap((path) => [path, realpathSync(path)])) {
    const names = folders.get(dirname(path)) ?? new Set()
    folders.set(dirname(path), names.add(basename(path)))
  }
  return folders
}
