import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Format } from './format.ts'
import { allKeywordsBut, type Dialect } from './schema/dialect.ts'
import { compiles } from './schema/patterns.ts'
import { described, textOf } from './texts.ts'

export interface Anthropic {
  readonly tools: AnthropicTool[]
  readonly message: AnthropicMessage
  readonly answer: AnthropicAnswer
}

/** A tool as the messages API takes it. */
export interface AnthropicTool {
  readonly name: string
  readonly description?: string
  readonly input_schema: { readonly type: 'object'; readonly [keyword: string]: unknown }
}

/** An assistant's message. Only its `tool_use` blocks are read; tools that run at the vendor are not ours. */
export interface AnthropicMessage {
  readonly content: string | readonly { readonly type: string }[]
}

/** One user message that answers every call, as the API wants it. */
export interface AnthropicAnswer {
  readonly role: 'user'
  readonly content: AnthropicToolResult[]
}

export interface AnthropicToolResult {
  readonly type: 'tool_result'
  readonly tool_use_id: string
  readonly content: string
  readonly is_error?: boolean
}

/**
 * JSON Schema 2020-12, checked against its metaschema, with an object and no union at the root; the arguments' names are
 * restricted. The API states no limit on nesting: this one is far from any that was meant.
 */
const dialect: Dialect = {
  keywords: allKeywordsBut(),
  enums: 'any',
  typeLists: true,
  needs: { items: false, properties: false },
  takesPattern: compiles,
  deepestLevel: 32,
  toolName: /^[a-zA-Z0-9_-]{1,64}$/,
  argumentName: /^[a-zA-Z0-9_.-]{1,64}$/,
}

/** Anthropic's messages. Source: https://docs.claude.com/en/docs/agents-and-tools/tool-use/implement-tool-use */
export const anthropic: Format<Anthropic> = {
  dialect,
  toTools: (declarations) =>
    declarations.map(({ function: { name, description, parameters } }) => ({
      name,
      ...described(description),
      input_schema: { ...parameters, type: 'object' },
    })),
  fromTools: (tools) =>
    tools
      .filter((tool) => 'input_schema' in tool)
      .map(({ name, description = '', input_schema: parameters }) => ({
        type: 'function',
        function: { name, description, parameters },
      })),
  fromMessage: ({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((block: JsonObject, index) =>
          block.type === 'tool_use'
            ? [{ id: block.id, name: block.name, arguments: block.input, path: ['content', String(index)] }]
            : [],
        ),
  toAnswers(results) {
    if (results.length === 0) return []
    const content = results.map(
      ({ result }): AnthropicToolResult => ({
        type: 'tool_result',
        tool_use_id: result.tool_call_id,
        content: result.content,
        ...(result.is_error && { is_error: true }),
      }),
    )
    return [{ role: 'user', content }]
  },
  fromAnswers: (answers) =>
    answers
      .flatMap(({ content }) => (Array.isArray(content) ? content : []))
      .filter(({ type }) => type === 'tool_result')
      .map(({ tool_use_id: id, content, is_error: isError = false }) => ({
        id,
        content: textOf(content),
        isError,
      })),
}
