import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { checkFence } from '../fence.ts'
import { fileAt } from '../file-at.ts'
import { revisionOf, tooLarge } from '../file-bytes.ts'
import { type Files, path } from '../files.ts'
import { sizeText } from '../size-text.ts'
import { writeAtomically } from '../write-atomically.ts'

export function writeTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'write',
    {
      description:
        'Writes a whole text file, in place of what was there. Missing directories are made. To change a part of a file, edit it.',
      params: { path, content: { type: 'string', description: 'All of the new content', required: true } },
      annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: false },
    },
    (args, context) =>
      doing(`write ${shown(args.path)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          if (!args.content.isWellFormed()) throw new Refusal('its content is no valid Unicode')
          const bytes = Buffer.from(args.content)
          if (bytes.length > files.maxFileBytes) throw tooLarge(bytes.length, files.maxFileBytes)
          await checkFence(files, args.path, context)
          const isNew = await files.root.at(args.path, { follows: true, missing: 'make' }, async (place) => {
            await writeAtomically(fileAt(place), bytes)
            return !place.stats
          })
          const text = `${isNew ? 'Wrote the new file' : 'Replaced'} ${args.path}: ${sizeText(bytes.length)}.`
          return { content: [{ type: 'text', text }], _meta: { [revisionKey]: revisionOf(bytes) } }
        }),
      ),
  )
}
