import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { checkFence } from '../fence.ts'
import { fileAt } from '../file-at.ts'
import { readBytes, readText, revisionOf, tooLarge } from '../file-bytes.ts'
import { type Files, path } from '../files.ts'
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
    ({ path, all = false, ...passage }, context) =>
      doing(`edit ${shown(path)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          if (!passage.newText.isWellFormed()) throw new Refusal('newText is no valid Unicode')
          await checkFence(files, path, context)
          return files.root.at(path, { follows: true }, async (place) => {
            const file = fileAt(place)
            const text = readText(await readBytes(file, files.maxFileBytes))
            const { edited, count } = replaced(text, passage, all)
            const bytes = Buffer.from(edited)
            if (bytes.length > files.maxFileBytes) throw tooLarge(bytes.length, files.maxFileBytes)
            await writeAtomically(file, bytes)
            const what =
              count === 1 ? `1 passage, at line ${lineOf(text, passage.oldText)}` : `${count} passages`
            return {
              content: [{ type: 'text', text: `Replaced ${what}, in ${path}.` }],
              _meta: { [revisionKey]: revisionOf(bytes) },
            }
          })
        }),
      ),
  )
}

interface Passage {
  readonly oldText: string
  readonly newText: string
}

function replaced(text: string, { oldText, newText }: Passage, all: boolean) {
  if (oldText === newText) throw new Refusal('oldText and newText are the same')
  const first = text.indexOf(oldText)
  if (first === -1) throw new Refusal(`oldText does not stand there${hint(text, oldText)}`)
  if (all) {
    const parts = text.split(oldText)
    return { edited: parts.join(newText), count: parts.length - 1 }
  }
  // One character on, since occurrences may overlap.
  if (text.indexOf(oldText, first + 1) !== -1)
    throw new Refusal('oldText stands there more than once; give more of what is around it, or say all: true')
  return { edited: text.slice(0, first) + newText + text.slice(first + oldText.length), count: 1 }
}

function hint(text: string, oldText: string): string {
  if (text.includes(oldText.replaceAll(/\r?\n/g, '\r\n'))) return ': its lines end in \\r\\n'
  const isThere = squeezed(text).includes(squeezed(oldText))
  return isThere
    ? ' so: blanks or line ends differ; read it again and copy exactly'
    : '; read it again, it may be another version'
}

function squeezed(text: string): string {
  return text.replaceAll(/\s+/g, ' ').trim()
}

function lineOf(text: string, passage: string): number {
  return text.slice(0, text.indexOf(passage)).split('\n').length
}
