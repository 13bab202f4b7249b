import { lstatSync } from 'node:fs'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, hasCode, shown } from '../../root/refusal.ts'
import { entriesOf } from '../entries.ts'
import { type Files, reading, startPath } from '../files.ts'
import { onOneLine } from '../on-one-line.ts'
import { sizeText } from '../size-text.ts'
import { isPassedOver, type TreeEntry, treeOf } from '../tree.ts'

export function mapTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'map',
    {
      description: 'Outlines a directory as a tree, with sizes. .git and node_modules are not gone into.',
      params: {
        path: startPath,
        depth: { type: 'integer', minimum: 1, default: 3, description: 'How many levels' },
      },
      annotations: reading,
    },
    ({ path = '.', depth = 3 }, { signal }) =>
      doing(`outline ${shown(path)}`, () =>
        files.root.within(path, async (directory) => {
          const lines: string[] = []
          const enters = (entry: TreeEntry) => entry.path.length < depth && !isPassedOver(entry)
          for await (const entry of treeOf(directory, { signal, enters })) {
            if (lines.length === files.maxEntries) {
              lines.push('[there is more; outline a directory of it, or fewer levels]')
              break
            }
            lines.push(`${'  '.repeat(entry.path.length - 1)}${await described(entry, enters(entry))}`)
          }
          return lines.join('\n') || '[it is empty]'
        }),
      ),
  )
}

async function described(entry: TreeEntry, isOpen: boolean): Promise<string> {
  const { directory, kind } = entry
  const name = onOneLine(entry.name)
  if (kind === 'directory') return isOpen ? `${name}/` : `${name}/  ${await countText(entry)}`
  if (kind !== 'file') return `${name}  (${kind})`
  try {
    return `${name}  ${sizeText(lstatSync(directory.entry(entry.name)).size)}`
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return name
    throw error
  }
}

async function countText({ directory, name }: TreeEntry): Promise<string> {
  try {
    const inner = directory.enter(name)
    if (!inner) return ''
    try {
      const { length } = await entriesOf(inner)
      return length === 1 ? '1 entry' : `${length} entries`
    } finally {
      inner.close()
    }
  } catch (error) {
    if (hasCode(error, 'EACCES', 'EPERM')) return '(may not be read)'
    throw error
  }
}
