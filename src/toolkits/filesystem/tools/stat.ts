import { type Stats, statSync } from 'node:fs'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { kindOf } from '../entries.ts'
import { type Files, path, reading } from '../files.ts'

export function statTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'stat',
    {
      description:
        'Tells what a path is: kind, size, time of the last change, mode. A symlink is not followed.',
      params: { path },
      outputSchema,
      annotations: reading,
    },
    (args) =>
      doing(`look at ${shown(args.path)}`, async () => ({
        structuredContent: await files.root.at(
          args.path,
          { follows: false },
          async ({ directory, name, stats }) => {
            if (name === undefined) return facts(statSync(directory.self))
            if (!stats)
              throw new Refusal('there is nothing of that name; list its directory to see what there is')
            return facts(stats)
          },
        ),
      })),
  )
}

function facts(stats: Stats) {
  const { size, mtime, mode } = stats
  return {
    kind: kindOf(stats),
    size,
    modified: mtime.toISOString(),
    mode: (mode & 0o7777).toString(8).padStart(4, '0'),
  }
}

const outputSchema = {
  type: 'object',
  properties: {
    kind: { enum: ['file', 'directory', 'symlink', 'special'] },
    size: { type: 'integer', description: 'In bytes' },
    modified: { type: 'string', format: 'date-time' },
    mode: { type: 'string', description: 'Octal permissions' },
  },
  required: ['kind', 'size', 'modified', 'mode'],
}
