import { revisionKey } from '../../../protocol/revision.ts'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { fileAt } from '../file-at.ts'
import { readBytes, readText, revisionOf } from '../file-bytes.ts'
import { type Files, path, reading } from '../files.ts'

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

interface Range {
  readonly firstLine?: number
  readonly lastLine?: number
}

/** Whole lines, as they are; a first one that is too long by itself is cut. */
function partOf(
  text: string,
  { firstLine = 1, lastLine = Number.POSITIVE_INFINITY }: Range,
  maxBytes: number,
) {
  if (lastLine < firstLine) throw new Refusal('lastLine is before firstLine')
  const lines = text.split(/(?<=\n)/)
  if (firstLine > lines.length)
    throw new Refusal(`firstLine is ${firstLine}, and it has ${lines.length} lines`)
  const wanted = lines.slice(firstLine - 1, lastLine)
  let [count, length] = [0, 0]
  for (const line of wanted) {
    length += Buffer.byteLength(line)
    if (length > maxBytes) break
    count += 1
  }
  if (count === wanted.length) return { text: wanted.join('') }
  const [first = ''] = wanted
  if (count === 0) {
    const note = `[cut: line ${firstLine} of ${lines.length} is longer than one answer may be]`
    return { text: Buffer.from(first).subarray(0, maxBytes).toString(), note }
  }
  const last = firstLine + count - 1
  const note = `[lines ${firstLine} to ${last} of ${lines.length}; read on with firstLine ${last + 1}]`
  return { text: wanted.slice(0, count).join(''), note }
}
