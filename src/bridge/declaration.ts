import type { Tool, ToolAnnotations } from '../protocol/tools.ts'
import type { ToolDeclaration } from './provider.ts'

/** A name that is listed twice is declared once: model APIs refuse the whole list otherwise. */
export function declarationsOf(tools: readonly Tool[]): readonly ToolDeclaration[] {
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  return tools.filter((tool) => byName.get(tool.name) === tool).map(declarationOf)
}

export function declarationOf(tool: Tool): ToolDeclaration {
  const { name, title, description, annotations, inputSchema } = tool
  return {
    type: 'function',
    function: {
      name,
      description: description ?? title ?? annotations?.title ?? '',
      parameters: inputSchema,
    },
  }
}

/** Whether the server itself says that calls of the tool may run at once, in any order (T-09): read-only alone is not enough. */
export function mayRunAtOnce(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint === true && annotations.idempotentHint === true
}
