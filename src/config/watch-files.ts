import { type FSWatcher, lstatSync, readlinkSync, watch } from 'node:fs'
import { join, parse, resolve, sep } from 'node:path'

/**
 * Calls back on every sign that one of these files changed, which may be several a change. Watches their folders, since an editor
 * that saves puts another file in their place; of links also those of all on the way. Returns what stops it. Keeps no process running.
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
  for (const [folder, name] of paths.flatMap(turnsOf)) {
    const names = folders.get(folder) ?? new Set()
    folders.set(folder, names.add(name))
  }
  return folders
}

type Turn = readonly [folder: string, name: string]

/** Where the way to a file may come to lead elsewhere: at each link on it, where something is missing, and at its end. */
function turnsOf(path: string): readonly Turn[] {
  const turns: Turn[] = []
  const follow = (way: string, links: number): void => {
    const { root } = parse(way)
    const names = way.slice(root.length).split(sep)
    let folder = root
    for (const [index, name] of names.entries()) {
      const here = join(folder, name)
      const found = lstatSync(here, { throwIfNoEntry: false })
      const isLink = found?.isSymbolicLink() ?? false
      if (!found || isLink || index === names.length - 1) turns.push([folder, name])
      if (!found) return
      if (isLink) {
        const target = resolve(folder, readlinkSync(here), ...names.slice(index + 1))
        return links > 0 ? follow(target, links - 1) : undefined
      }
      folder = here
    }
  }
  follow(resolve(path), mostLinks)
  return turns
}

/** More lead in a circle. */
const mostLinks = 40
