import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Tool } from '../../protocol/tools.ts'
import type { Sink } from '../io.ts'
import { layoutJson } from './layout-json.ts'
import { oneLine, printable } from './printable.ts'
import { toolSignature } from './signature.ts'
import type { Style } from './style.ts'
import { wrap } from './wrap.ts'

/** One tool in full: everything its server says of it that a person can use. */
export function toolPage(tool: Tool, { columns }: Sink, style: Style): string {
  const { title, description, annotations, inputSchema, outputSchema } = tool
  const shownTitle = oneLine(title ?? annotations?.title)
  const hints = hintsOf(tool)
  const sections = [
    toolSignature(tool, columns, style),
    shownTitle && style.bold(shownTitle),
    typeof description === 'string' && wrap(printable(inShort(description)).trim(), columns),
    hints && `The server says it is: ${hints}`,
    `${style.bold('Input schema')}\n${json(inputSchema, columns)}`,
    outputSchema && `${style.bold('Output schema')}\n${json(outputSchema, columns)}`,
  ]
  return `${sections.filter(Boolean).join('\n\n')}\n`
}

/** A server may say megabytes; setting them would take minutes. */
function inShort(description: string): string {
  const left = description.length - longest
  return left > 0 ? `${description.slice(0, longest)}… (${left} characters more with --json)` : description
}

function hintsOf({ annotations }: Tool): string {
  const hints = annotations ?? {}
  return [
    hints.readOnlyHint && 'read-only',
    !hints.readOnlyHint && hints.destructiveHint && 'destructive',
    !hints.readOnlyHint && hints.destructiveHint === false && 'not destructive',
    hints.idempotentHint && 'idempotent',
    hints.openWorldHint && 'in touch with the outside world',
    hints.openWorldHint === false && 'confined to its own domain',
  ]
    .filter(Boolean)
    .join(', ')
}

function json(schema: JsonObject, columns: number | undefined): string {
  return printable(layoutJson(schema, columns))
}

const longest = 100_000
