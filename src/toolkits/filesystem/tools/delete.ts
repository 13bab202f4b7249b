import { rmdir, unlink } from 'node:fs/promises'
import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { type Directory, specialComplaint } from '../../root/directory.ts'
import { doing, hasCode, Refusal, shown } from '../../root/refusal.ts'
import { entriesOf, kindOf } from '../entries.ts'
import { checkFence } from '../fence.ts'
import { type Files, path } from '../files.ts'

export function deleteTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'delete',
    {
      description:
        'Deletes a file, a symlink (not what it leads to), or a directory: an empty one, or with recursive all of it.',
      params: { path, recursive: { type: 'boolean', description: 'Default false' } },
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ path, recursive = false }, context) =>
      doing(`delete ${shown(path)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          await checkFence(files, path, context)
          await files.root.at(path, { follows: false }, async ({ directory, name, stats }) => {
            if (name === undefined) throw new Refusal('the root itself cannot be deleted')
            if (!stats) throw new Refusal('there is nothing of that name')
            const kind = kindOf(stats)
            if (kind === 'special') throw new Refusal(specialComplaint)
            directory.confirm()
            if (kind !== 'directory') await unlink(directory.entry(name))
            else if (recursive) await deleteAll(directory, name, context.signal)
            else await deleteEmpty(directory, name)
            directory.confirm()
          })
          return { content: [{ type: 'text', text: `Deleted ${path}.` }], _meta: { [revisionKey]: null } }
        }),
      ),
  )
}

async function deleteEmpty(directory: Directory, name: string): Promise<void> {
  try {
    await rmdir(directory.entry(name))
  } catch (error) {
    if (!hasCode(error, 'ENOTEMPTY', 'EEXIST')) throw error
    throw new Refusal('the directory is not empty; say recursive: true to delete all that is in it', {
      cause: error,
    })
  }
}

/** Goes by descriptors too: a directory that becomes a symlink meanwhile is deleted as one. */
async function deleteAll(directory: Directory, name: string, signal: AbortSignal, depth = 1): Promise<void> {
  if (depth > deepest)
    throw new Refusal(`it is nested deeper than ${deepest} directories; delete its inner ones first`)
  const inner = directory.enter(name)
  if (!inner) return unlink(directory.entry(name))
  try {
    for (const entry of await entriesOf(inner)) {
      signal.throwIfAborted()
      if (entry.kind === 'directory') await deleteAll(inner, entry.name, signal, depth + 1)
      else await unlink(inner.entry(entry.name))
    }
  } finally {
    inner.close()
  }
  await rmdir(directory.entry(name))
}

/** Each level holds a descriptor. */
const deepest = 64
