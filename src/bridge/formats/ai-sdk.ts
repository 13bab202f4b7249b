import { ConfigError } from '../../errors.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Format } from './format.ts'
import { allKeywordsBut, type Dialect } from './schema/dialect.ts'
import { isPortable } from './schema/patterns.ts'
import { described, textOf } from './texts.ts'

export interface AiSdk {
  readonly tools: AiSdkTools
  readonly message: AiSdkMessage
  readonly answer: AiSdkAnswer
}

/** A `ToolSet`: tools by name, without `execute`, so that the calls come back to the caller. */
export interface AiSdkTools {
  [name: string]: AiSdkTool
}

export interface AiSdkTool {
  readonly description?: string
  readonly inputSchema: AiSdkSchema
  /** False: tools say more than the strict subsets of the models behind can. */
  readonly strict?: boolean
}

/** A Standard Schema that takes everything, as the tool's provider checks its arguments, and shows a JSON Schema. */
export interface AiSdkSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => { readonly value: unknown }
    readonly jsonSchema: { readonly input: () => JsonObject; readonly output: () => JsonObject }
  }
}

/** An assistant's message; or `{ content: result.toolCalls }`. Calls that the provider itself ran are not ours. */
export interface AiSdkMessage {
  readonly content: string | readonly { readonly type: string }[]
}

/** One tool message that answers every call. */
export interface AiSdkAnswer {
  readonly role: 'tool'
  readonly content: AiSdkToolResult[]
}

export interface AiSdkToolResult {
  readonly type: 'tool-result'
  readonly toolCallId: string
  readonly toolName: string
  readonly output:
    | { readonly type: 'text'; readonly value: string }
    | { readonly type: 'error-text'; readonly value: string }
}

/** Any model may be behind it: what all of them take of draft 7, which the SDK speaks. */
const dialect: Dialect = {
  keywords: allKeywordsBut(
    ...(['prefixItems', 'minContains', 'maxContains'] as const),
    ...(['dependentRequired', 'dependentSchemas', 'deprecated'] as const),
  ),
  enums: 'any',
  typeLists: true,
  needs: { items: true, properties: true },
  takesPattern: isPortable,
  deepestLevel: 10,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  argumentName: /^[a-zA-Z0-9_.-]{1,64}$/,
}

/** Vercel's AI SDK. Source: https://ai-sdk.dev/docs/reference/ai-sdk-core/tool and .../model-message */
export const aiSdk: Format<AiSdk> = {
  dialect,
  toTools: (declarations) =>
    Object.fromEntries(
      declarations.map(({ function: { name, description, parameters } }) => [
        name,
        { ...described(description), inputSchema: showing(parameters), strict: false },
      ]),
    ),
  fromTools: (tools) =>
    Object.entries(tools).map(([name, { description = '', inputSchema }]) => ({
      type: 'function',
      function: { name, description, parameters: shownBy(inputSchema, name) },
    })),
  fromMessage: ({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part: JsonObject, index) =>
          part.type === 'tool-call' && part.providerExecuted !== true
            ? [
                {
                  id: part.toolCallId,
                  name: part.toolName,
                  arguments: part.input,
                  path: ['content', String(index)],
                },
              ]
            : [],
        ),
  toAnswers(results) {
    if (results.length === 0) return []
    const content = results.map(
      ({ result, name }): AiSdkToolResult => ({
        type: 'tool-result',
        toolCallId: result.tool_call_id,
        toolName: name,
        output: { type: result.is_error ? 'error-text' : 'text', value: result.content },
      }),
    )
    return [{ role: 'tool', content }]
  },
  fromAnswers: (answers) =>
    answers
      .flatMap(({ content }) => content)
      .filter(({ type }) => type === 'tool-result')
      .map(({ toolCallId: id, output }) => ({ id, ...readOutput(output) })),
}

/**
 * The SDK closes every object of a Standard Schema to what it does not declare, which would leave arguments out that a tool
 * takes. The registered symbol makes it one of the SDK's own schemas, which stay as they are.
 */
function showing(schema: JsonObject): AiSdkSchema & { jsonSchema: JsonObject; validate: undefined } {
  const show = () => schema
  return {
    [Symbol.for('vercel.ai.schema')]: true,
    jsonSchema: schema,
    validate: undefined,
    '~standard': {
      version: 1,
      vendor: 'mcp-troupe',
      validate: (value) => ({ value }),
      jsonSchema: { input: show, output: show },
    },
  }
}

function shownBy(schema: AiSdkSchema & { readonly jsonSchema?: unknown }, name: string): JsonObject {
  const shown = isObject(schema.jsonSchema) ? schema.jsonSchema : schema['~standard']?.jsonSchema?.input()
  if (isObject(shown)) return shown
  throw new ConfigError({ path: ['tools', name, 'inputSchema'], reason: 'does not show its JSON Schema' })
}

function readOutput(output: JsonObject): { content: string; isError: boolean } {
  const { type, value, reason } = output
  return {
    content: type === 'execution-denied' ? textOf(reason) : textOf(value),
    isError: type === 'error-text' || type === 'error-json' || type === 'execution-denied',
  }
}
