import { rename } from 'node:fs/promises'
import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { specialComplaint } from '../../root/directory.ts'
import { doing, hasCode, Refusal, shown } from '../../root/refusal.ts'
import type { Place } from '../../root/walk.ts'
import { kindOf } from '../entries.ts'
import { checkFence } from '../fence.ts'
import { readBytes, revisionOf } from '../file-bytes.ts'
import { type Files, path } from '../files.ts'

export function moveTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'move',
    {
      description:
        'Moves or renames a file or a directory. Where something is already nothing is moved; to is the new path itself, not the directory it goes to.',
      params: { from: path, to: path },
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ from, to }, context) =>
      doing(`move ${shown(from)} to ${shown(to)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          await checkFence(files, from, context)
          return files.root.at(from, { follows: false }, (source) =>
            files.root.at(to, { follows: false }, async (target) => {
              const revision = await revisionAt(source, files)
              await move(source, target)
              return {
                content: [{ type: 'text', text: `Moved ${from} to ${to}.` }],
                ...(revision && { _meta: { [revisionKey]: revision } }),
              }
            }),
          )
        }),
      ),
  )
}

async function move(source: Place, target: Place): Promise<void> {
  if (source.name === undefined || target.name === undefined)
    throw new Refusal('the root itself can neither be moved nor be replaced')
  if (!source.stats) throw new Refusal('there is nothing to move')
  if (kindOf(source.stats) === 'special') throw new Refusal(specialComplaint)
  if (target.stats)
    throw new Refusal('something is there already; delete it first, or name the path inside of it')
  for (const { directory } of [source, target]) directory.confirm()
  try {
    await rename(source.directory.entry(source.name), target.directory.entry(target.name))
  } catch (error) {
    if (hasCode(error, 'EINVAL'))
      throw new Refusal('a directory cannot be moved into itself', { cause: error })
    throw error
  }
  for (const { directory } of [source, target]) directory.confirm()
}

/** Undefined of what nobody can have read. */
async function revisionAt({ directory, name, stats }: Place, files: Files): Promise<string | undefined> {
  if (name === undefined || !stats?.isFile() || stats.size > files.maxFileBytes) return undefined
  return revisionOf(await readBytes({ directory, name }, files.maxFileBytes))
}
