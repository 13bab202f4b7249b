import { mkdir } from 'node:fs/promises'
import type { Registrar } from '../../../server/registration/registrar.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { checkFence } from '../fence.ts'
import { type Files, path } from '../files.ts'

export function mkdirTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'mkdir',
    {
      description:
        'Makes a directory, and those above it that are missing. One that is there already is left as it is.',
      params: { path },
      annotations: { destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
    (args, context) =>
      doing(`make the directory ${shown(args.path)}`, () =>
        files.changes.take(async () => {
          context.signal.throwIfAborted()
          await checkFence(files, args.path, context)
          return files.root.at(
            args.path,
            { follows: true, missing: 'make' },
            async ({ directory, name, stats }) => {
              if (name === undefined || stats?.isDirectory()) return `${args.path} is there already.`
              if (stats) throw new Refusal('a file of that name is there')
              directory.confirm()
              await mkdir(directory.entry(name))
              directory.confirm()
              return `Made ${args.path}.`
            },
          )
        }),
      ),
  )
}
