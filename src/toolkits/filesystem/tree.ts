import type { Directory } from '../root/directory.ts'
import { hasCode } from '../root/refusal.ts'
import { entriesOf, type Kind } from './entries.ts'
import { Pace } from './pace.ts'

export interface TreeEntry {
  /** Where it is. Good until the next entry is asked for. */
  readonly directory: Directory
  readonly name: string
  readonly kind: Kind
  /** From the directory the walk began in; the last one is `name`. */
  readonly path: readonly string[]
}

export interface TreeWalk {
  readonly signal: AbortSignal
  /** Whether to go into a directory; asked after it was handed out. */
  enters(entry: TreeEntry): boolean
}

/** Everything below a directory, each directory before what is in it; symlinks are not followed. */
export async function* treeOf(
  directory: Directory,
  walk: TreeWalk,
  above: readonly string[] = [],
  pace = new Pace(),
): AsyncGenerator<TreeEntry> {
  for (const { name, kind } of await readableEntries(directory)) {
    if (pace.isDue) await pace.pause()
    walk.signal.throwIfAborted()
    const entry = { directory, name, kind, path: [...above, name] }
    yield entry
    if (kind !== 'directory' || above.length >= deepest || !walk.enters(entry)) continue
    const inner = enterable(directory, name)
    if (!inner) continue
    try {
      yield* treeOf(inner, walk, entry.path, pace)
    } finally {
      inner.close()
    }
  }
}

/** Version control and installed packages: hardly ever what is looked for, and most of what there is. Entered only by name. */
export function isPassedOver({ name }: TreeEntry): boolean {
  return name === '.git' || name === 'node_modules'
}

/** Of one that may not be read: nothing. The rest of the tree is there all the same. */
async function readableEntries(directory: Directory) {
  try {
    return await entriesOf(directory)
  } catch (error) {
    if (hasCode(error, ...unreadable)) return []
    throw error
  }
}

function enterable(directory: Directory, name: string): Directory | undefined {
  try {
    return directory.enter(name)
  } catch (error) {
    if (hasCode(error, ...unreadable)) return undefined
    throw error
  }
}

const unreadable = ['EACCES', 'EPERM', 'ENOENT'] as const
/** Each level holds a descriptor. */
const deepest = 64
