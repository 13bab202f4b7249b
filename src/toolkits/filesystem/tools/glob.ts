import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, shown } from '../../root/refusal.ts'
import { type Files, reading, startPath } from '../files.ts'
import { GlobPattern } from '../glob-pattern.ts'
import { onOneLine } from '../on-one-line.ts'
import { isPassedOver, type TreeEntry, treeOf } from '../tree.ts'

export function globTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'glob',
    {
      description:
        'Finds files and directories by name: * and ? within a name, ** for any directories, [a-z], {one,other}. What is in .git and node_modules is found only where the pattern names them.',
      params: {
        pattern: { type: 'string', description: 'Such as src/**/*.{ts,tsx}, seen from path', required: true },
        path: startPath,
      },
      outputSchema,
      annotations: reading,
    },
    ({ pattern, path = '.' }, { signal }) =>
      doing(`find ${shown(pattern)} in ${shown(path)}`, async () => {
        const glob = new GlobPattern(pattern)
        const named = pattern.split('/')
        const start = files.root.segments(path)
        const paths: string[] = []
        const isMore = await files.root.within(path, async (directory) => {
          const enters = (entry: TreeEntry) =>
            glob.leadsBelow(entry.path) && (!isPassedOver(entry) || named.includes(entry.name))
          for await (const entry of treeOf(directory, { signal, enters })) {
            if (!glob.matches(entry.path)) continue
            if (paths.length === files.maxEntries) return true
            paths.push(`${[...start, ...entry.path].join('/')}${entry.kind === 'directory' ? '/' : ''}`)
          }
          return false
        })
        const note = isMore ? [`[there are more; narrow the pattern]`] : []
        return {
          content: [
            { type: 'text', text: [...paths.map(onOneLine), ...note].join('\n') || '[nothing matches]' },
          ],
          structuredContent: { paths, isMore },
        }
      }),
  )
}

const outputSchema = {
  type: 'object',
  properties: {
    paths: { type: 'array', items: { type: 'string' }, description: 'From the root; directories end in /' },
    isMore: { type: 'boolean', description: 'Whether there are more than could be listed' },
  },
  required: ['paths', 'isMore'],
}
