import { lstatSync, readlinkSync } from 'node:fs'
import type { Registrar } from '../../../server/registration/registrar.ts'
import type { Directory } from '../../root/directory.ts'
import { doing, shown } from '../../root/refusal.ts'
import { type Entry, entriesOf } from '../entries.ts'
import { type Files, reading, startPath } from '../files.ts'
import { onOneLine } from '../on-one-line.ts'
import { sizeText } from '../size-text.ts'

interface Listed extends Entry {
  readonly size?: number
  readonly target?: string
}

export function listTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'list',
    {
      description: 'Lists what is in a directory, with the sizes of files.',
      params: { path: startPath },
      outputSchema,
      annotations: reading,
    },
    ({ path = '.' }) =>
      doing(`list ${shown(path)}`, () =>
        files.root.within(path, async (directory) => {
          const all = await entriesOf(directory)
          const entries = all.slice(0, files.maxEntries).map((entry) => described(directory, entry))
          const note =
            all.length > entries.length ? [`[${all.length - entries.length} more are not shown]`] : []
          const text = [...entries.map(lineOf), ...note].join('\n')
          return {
            content: [{ type: 'text', text: text || '[it is empty]' }],
            structuredContent: { entries, total: all.length },
          }
        }),
      ),
  )
}

const outputSchema = {
  type: 'object',
  properties: {
    entries: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          kind: { enum: ['file', 'directory', 'symlink', 'special'] },
          size: { type: 'integer', description: 'Of a file, in bytes' },
          target: { type: 'string', description: 'Of a symlink' },
        },
        required: ['name', 'kind'],
      },
    },
    total: { type: 'integer', description: 'How many there are, also those that are not listed' },
  },
  required: ['entries', 'total'],
}

/** What vanishes meanwhile is listed by its name. */
function described(directory: Directory, entry: Entry): Listed {
  try {
    if (entry.kind === 'file') return { ...entry, size: lstatSync(directory.entry(entry.name)).size }
    if (entry.kind === 'symlink') return { ...entry, target: readlinkSync(directory.entry(entry.name)) }
    return entry
  } catch {
    return entry
  }
}

function lineOf({ kind, size, target, ...entry }: Listed): string {
  const name = onOneLine(entry.name)
  if (kind === 'directory') return `${name}/`
  if (kind === 'symlink') return `${name} -> ${onOneLine(target ?? '?')}`
  return kind === 'file' && size !== undefined ? `${name}  ${sizeText(size)}` : `${name}  (${kind})`
}
