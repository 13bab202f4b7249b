import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { checkFence } from '../fence.ts'
import { fileAt } from '../file-at.ts'
import { readBytes, readText, revisionOf, tooLarge } from '../file-bytes.ts'
import { type Files, path } from '../files.ts'
import { replacePassage } from '../replace-passage.ts'
import { writeAtomically } from '../write-atomically.ts'

export function editTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'edit',
    {
      description:
        'Replaces a passage of a text file, which must stand there exactly once, unless all is true. Read the file first.',
      params: {
        path,
        oldText: {
          type: 'string',
          minLength: 1,
          description: 'What stands there, exactly, with enough around it to be unique',
          required: true,
        },
        newText: { type: 'string', description: 'What shall stand there instead', required: true },
        all: { type: 'boolean', description: 'Replaces every occurrence; default false' },
      },
      annotations: { destructiveHint: true, idempotentHint: false, openWorldHint: false },
    },
    ({ path, ...passage }, context) =>
      doing(`edit ${shown(path)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          // Half a character would be found, and tear the whole one.
          for (const name of ['oldText', 'newText'] as const)
            if (!passage[name].isWellFormed()) throw new Refusal(`${name} is no valid Unicode`)
          await checkFence(files, path, context)
          return files.root.at(path, { follows: true }, async (place) => {
            const file = fileAt(place)
            const text = readText(await readBytes(file, files.maxFileBytes))
            const edited = replacePassage(text, passage, files.maxFileBytes)
            const bytes = Buffer.from(edited.text)
            if (bytes.length > files.maxFileBytes) throw tooLarge(bytes.length, files.maxFileBytes)
            await writeAtomically(file, bytes)
            const [line, ...others] = edited.lines
            const what = others.length === 0 ? `1 passage, at line ${line}` : `${others.length + 1} passages`
            return {
              content: [{ type: 'text', text: `Replaced ${what}, in ${path}.` }],
              _meta: { [revisionKey]: revisionOf(bytes) },
            }
          })
        }),
      ),
  )
}
