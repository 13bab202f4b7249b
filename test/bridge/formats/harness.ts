import { declarationsFrom, type FormatName, type JsonObject, toolsFor } from '../../../src/index.ts'

export const formatNames = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'ai-sdk'] as const

/** One tool in a vendor's words and back, under its own names; undefined if it was left out. */
export function publishOne(
  format: FormatName,
  parameters: unknown,
  warnings: string[] = [],
): JsonObject | undefined {
  const declaration = { type: 'function', function: { name: 'tool', description: '', parameters } } as const
  // What no declaration should hold is the point of it.
  const { tools, names } = toolsFor(format, [declaration as never], { onWarn: (text) => warnings.push(text) })
  return declarationsFrom(format, tools, names)[0]?.function.parameters
}
