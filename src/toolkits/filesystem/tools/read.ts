import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, shown } from '../../root/refusal.ts'
import { fileAt } from '../file-at.ts'
import { readBytes, readText, revisionOf } from '../file-bytes.ts'
import { type Files, path, reading } from '../files.ts'
import { partOf } from '../part-of-text.ts'

export function readTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'read',
    {
      description:
        'Reads a text file, or some lines of it. A long text is cut, with a note which line to go on with.',
      params: {
        path,
        firstLine: { type: 'integer', minimum: 1, description: 'Default 1' },
        lastLine: { type: 'integer', minimum: 1, description: 'Default the last one there is' },
      },
      annotations: reading,
    },
    (range) =>
      doing(`read ${shown(range.path)}`, async () => {
        const bytes = await files.root.at(range.path, { follows: true }, async (place) =>
          readBytes(fileAt(place), files.maxFileBytes),
        )
        const { text, note } = partOf(readText(bytes), range, files.maxReadBytes)
        return {
          content: [text, note]
            .filter((part) => part !== undefined)
            .map((part) => ({ type: 'text', text: part })),
          _meta: { [revisionKey]: revisionOf(bytes) },
        }
      }),
  )
}
