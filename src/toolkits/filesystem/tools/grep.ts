import type { Registrar } from '../../../server/registration/registrar.ts'
import { thrownMessage } from '../../../thrown-message.ts'
import { doing, Refusal, shown } from '../../root/refusal.ts'
import { type Files, path, reading, startPath } from '../files.ts'
import { GlobPattern } from '../glob-pattern.ts'
import { onOneLine } from '../on-one-line.ts'
import { type Found, search } from '../search.ts'

export function grepTool(registrar: Registrar, files: Files): void {
  registrar.tool(
    'grep',
    {
      description:
        'Searches the lines of text files with a regular expression (of JavaScript). .git and node_modules are not gone into.',
      params: {
        pattern: {
          type: 'string',
          minLength: 1,
          maxLength: 1_000,
          description: 'The regular expression',
          required: true,
        },
        path: {
          ...startPath,
          description: `A file, or a directory with all that is below. ${path.description}`,
        },
        glob: { type: 'string', description: 'Only files whose name, or path below, matches: *.ts, src/**' },
        ignoreCase: { type: 'boolean', description: 'Default false' },
      },
      outputSchema,
      annotations: reading,
    },
    ({ pattern, path = '.', glob, ignoreCase = false }, { signal }) =>
      doing(`search ${shown(path)}`, async () => {
        const expression = compiled(pattern, ignoreCase ? 'i' : '')
        // A name alone means one anywhere.
        const filter =
          glob === undefined ? undefined : new GlobPattern(glob.includes('/') ? glob : `**/${glob}`)
        const found = await search(files, { path, expression, filter, signal })
        return { content: [{ type: 'text', text: textOf(found, files) }], structuredContent: { ...found } }
      }),
  )
}

const outputSchema = {
  type: 'object',
  properties: {
    matches: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string' }, line: { type: 'integer' }, text: { type: 'string' } },
        required: ['path', 'line', 'text'],
      },
    },
    end: {
      enum: ['complete', 'full', 'timeout'],
      description: 'Whether all was searched, or it ended at the most matches, or at its time limit',
    },
    skipped: { type: 'integer', description: 'Files that are too large, or may not be read' },
  },
  required: ['matches', 'end', 'skipped'],
}

function compiled(pattern: string, flags: string): RegExp {
  try {
    return new RegExp(pattern, flags)
  } catch (cause) {
    throw new Refusal(`the pattern is no regular expression: ${thrownMessage(cause)}`)
  }
}

function textOf({ matches, end, skipped }: Found, { grepTimeoutMs }: Files): string {
  const lines = matches.map(({ path, line, text }) => `${onOneLine(path)}:${line}: ${text}`)
  if (end === 'full') lines.push('[there are more; narrow the pattern, the path or the glob]')
  if (end === 'timeout')
    lines.push(
      `[stopped after ${grepTimeoutMs} ms, not all was searched; narrow the path, or simplify the pattern]`,
    )
  if (skipped > 0) lines.push(`[passed over, since too large or not readable: ${skipped}]`)
  return lines.join('\n') || '[no line matches]'
}
