import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { Format } from './format.ts'
import { openAiDialect } from './openai-dialect.ts'
import { described, textOf } from './texts.ts'

export interface OpenAiResponses {
  readonly tools: OpenAiResponsesTool[]
  readonly message: OpenAiResponsesMessage
  readonly answer: OpenAiResponsesAnswer
}

/** A tool as the responses API takes it. */
export interface OpenAiResponsesTool {
  readonly type: 'function'
  readonly name: string
  readonly description?: string
  readonly parameters: JsonObject
  /** False: the API's default is true, and tools say more than the strict subset can. */
  readonly strict: false
}

/** A response. Only the function calls of `output` are read. */
export interface OpenAiResponsesMessage {
  readonly output: readonly { readonly type?: string }[]
}

/** An item for the next request's `input`. */
export interface OpenAiResponsesAnswer {
  readonly type: 'function_call_output'
  readonly call_id: string
  readonly output: string
}

/**
 * OpenAI's responses. The API has no mark for failure, as chat completions have none.
 * Source: https://platform.openai.com/docs/guides/function-calling
 */
export const openAiResponses: Format<OpenAiResponses> = {
  dialect: openAiDialect,
  toTools: (declarations) =>
    declarations.map(({ function: { name, description, parameters } }) => ({
      type: 'function',
      name,
      ...described(description),
      parameters,
      strict: false,
    })),
  fromTools: (tools) =>
    tools
      .filter(({ type }) => type === 'function')
      .map(({ type, name, description, parameters }) => ({
        type,
        function: { name, description: description ?? '', parameters: parameters ?? {} },
      })),
  fromMessage: ({ output }) =>
    output.flatMap((item: JsonObject, index) =>
      item.type === 'function_call'
        ? [{ id: item.call_id, name: item.name, arguments: item.arguments, path: ['output', String(index)] }]
        : [],
    ),
  toAnswers: (results) =>
    results.map(({ result }) => ({
      type: 'function_call_output',
      call_id: result.tool_call_id,
      output: result.content,
    })),
  fromAnswers: (answers) =>
    answers
      .filter(({ type }) => type === 'function_call_output')
      .map(({ call_id: id, output }) => ({ id, content: textOf(output), isError: false })),
}
