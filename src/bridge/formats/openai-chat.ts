import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Format } from './format.ts'
import { openAiDialect } from './openai-dialect.ts'
import { described, textOf } from './texts.ts'

export interface OpenAiChat {
  readonly tools: OpenAiChatTool[]
  readonly message: OpenAiChatMessage
  readonly answer: OpenAiChatAnswer
}

/** A tool as chat completions take it. */
export interface OpenAiChatTool {
  readonly type: 'function'
  readonly function: {
    readonly name: string
    readonly description?: string
    readonly parameters: JsonObject
    /** False: tools say more than the strict subset can. */
    readonly strict: false
  }
}

/** An assistant's message. Only `tool_calls` is read; calls of custom tools are left to their owner. */
export interface OpenAiChatMessage {
  readonly tool_calls?: readonly { readonly type: string }[] | null
}

export interface OpenAiChatAnswer {
  readonly role: 'tool'
  readonly tool_call_id: string
  readonly content: string
}

/**
 * OpenAI's chat completions. The API has no mark for failure: a failed call's text stands as it is, and comes back as if it
 * had gone well. Source: https://platform.openai.com/docs/guides/function-calling
 */
export const openAiChat: Format<OpenAiChat> = {
  dialect: openAiDialect,
  toTools: (declarations) =>
    declarations.map(({ function: { name, description, parameters } }) => ({
      type: 'function',
      function: { name, ...described(description), parameters, strict: false },
    })),
  fromTools: (tools) =>
    tools
      .filter(({ type }) => type === 'function')
      .map(({ type, function: { name, description = '', parameters } }) => ({
        type,
        function: { name, description, parameters: parameters ?? {} },
      })),
  messageAt: ['choices', 'choices[0].message'],
  fromMessage: ({ tool_calls: calls }) =>
    (calls ?? []).flatMap((call: JsonObject, index) =>
      call.type === 'function' && isObject(call.function)
        ? [{ id: call.id, ...nameAndArguments(call.function), path: ['tool_calls', String(index)] }]
        : [],
    ),
  toAnswers: (results) =>
    results.map(({ result }) => ({
      role: 'tool',
      tool_call_id: result.tool_call_id,
      content: result.content,
    })),
  fromAnswers: (answers) =>
    answers
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id: id, content }) => ({ id, content: textOf(content), isError: false })),
}

function nameAndArguments({ name, arguments: args }: JsonObject): { name: unknown; arguments: unknown } {
  return { name, arguments: args }
}
