import type { Tool, ToolAnnotations } from '../protocol/tools.ts'
import type { ToolDeclaration } from './provider.ts'

export function declarationsOf(tools: readonly Tool[]): readonly ToolDeclaration[] {
  return distinctTools(tools).map((tool) => declarationOf(tool))
}

/** A name that is listed twice counts once: model APIs refuse the whole list otherwise. */
export function distinctTools(tools: readonly Tool[]): readonly Tool[] {
  const byName = new Map(tools.toReversed().map((tool) => [tool.name, tool]))
  return tools.filter((tool) => byName.get(tool.name) === tool)
}

/** `name`: by which the model knows it; default its own. */
export function declarationOf(tool: Tool, name = tool.name): ToolDeclaration {
  const { title, description, annotations, inputSchema } = tool
  return {
    type: 'function',
    function: {
      name,
      description: description ?? title ?? annotations?.title ?? '',
      parameters: inputSchema,
    },
  }
}

/** Whether the server itself says that calls of the tool may run at once, in any order: read-only alone is not enough. */
export function mayRunAtOnce(annotations: ToolAnnotations | undefined): boolean {
  return annotations?.readOnlyHint === true && annotations.idempotentHint === true
}
