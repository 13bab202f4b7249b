import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Format } from './format.ts'
import { fromOpenApi } from './gemini-schema.ts'
import { type Dialect, keywords } from './schema/dialect.ts'
import { compiles } from './schema/patterns.ts'
import { described } from './texts.ts'

export interface Gemini {
  readonly tools: GeminiTool[]
  readonly message: GeminiMessage
  readonly answer: GeminiAnswer
}

/** All functions in one tool, as `config.tools` takes it. */
export interface GeminiTool {
  readonly functionDeclarations: GeminiFunction[]
}

export interface GeminiFunction {
  readonly name: string
  readonly description?: string
  /** JSON Schema; left out where there are no parameters. */
  readonly parametersJsonSchema?: unknown
}

/** A candidate's content. Only its `functionCall` parts are read. */
export interface GeminiMessage {
  readonly parts?: readonly object[]
}

/** One content that answers every call. */
export interface GeminiAnswer {
  readonly role: 'user'
  readonly parts: GeminiAnswerPart[]
}

export interface GeminiAnswerPart {
  readonly functionResponse: {
    readonly id?: string
    readonly name: string
    readonly response: { readonly output: string } | { readonly error: string }
  }
}

/**
 * The keywords the API documents for JSON Schema, without those that some of its backends refuse: `oneOf` is only read as
 * `anyOf`, only texts can be listed, of string formats only one is taken everywhere. The API states no limit on nesting:
 * this one is far from any that was meant.
 */
const dialect: Dialect = {
  keywords: keywords(
    ...(['title', 'description', 'type', 'format', 'enum', 'minimum', 'maximum', 'anyOf'] as const),
    ...([
      'items',
      'prefixItems',
      'minItems',
      'maxItems',
      'properties',
      'required',
      'additionalProperties',
    ] as const),
  ),
  formats: new Set(['date-time', 'float', 'double', 'int32', 'int64']),
  enums: 'strings',
  typeLists: false,
  needs: { items: true, properties: false },
  takesPattern: compiles,
  deepestLevel: 32,
  toolName: /^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$/,
  argumentName: /^[a-zA-Z_][a-zA-Z0-9_]{0,63}$/,
}

/**
 * Google's Gemini, on either of its platforms. Models that give their calls no ids get none back.
 * Source: https://ai.google.dev/gemini-api/docs/function-calling and https://ai.google.dev/api/caching#FunctionDeclaration;
 * the subset of JSON Schema: https://ai.google.dev/api/generate-content#generationconfig
 */
export const gemini: Format<Gemini> = {
  dialect,
  toTools(declarations) {
    if (declarations.length === 0) return []
    return [
      {
        functionDeclarations: declarations.map(({ function: { name, description, parameters } }) => ({
          name,
          ...described(description),
          ...(isEmpty(parameters) ? {} : { parametersJsonSchema: parameters }),
        })),
      },
    ]
  },
  fromTools: (tools) =>
    tools.flatMap(({ functionDeclarations = [] }) =>
      functionDeclarations.map(({ name, description = '', parametersJsonSchema, ...rest }) => ({
        type: 'function',
        function: { name, description, parameters: parametersOf(parametersJsonSchema, rest) },
      })),
    ),
  messageAt: ['candidates', 'candidates[0].content'],
  fromMessage: ({ parts = [] }) =>
    parts.flatMap((part, index) => {
      const call = 'functionCall' in part ? part.functionCall : undefined
      if (!isObject(call)) return []
      return [{ id: call.id, name: call.name, arguments: call.args, path: ['parts', String(index)] }]
    }),
  toAnswers(results) {
    if (results.length === 0) return []
    const parts = results.map(
      ({ result: { content, is_error: isError }, id, name }): GeminiAnswerPart => ({
        functionResponse: {
          ...(id !== undefined && { id }),
          name,
          response: isError ? { error: content } : { output: content },
        },
      }),
    )
    return [{ role: 'user', parts }]
  },
  fromAnswers: (answers) =>
    answers
      .flatMap(({ parts }) => parts)
      .flatMap(({ functionResponse }) => (isObject(functionResponse) ? [functionResponse] : []))
      .map(({ id, response }) => ({ id, ...readResponse(response) })),
}

/** A whole response is the output where it has neither `output` nor `error`. */
function readResponse(response: JsonObject = {}): { content: string; isError: boolean } {
  const { error, output = response } = response
  const told = error ?? output
  return { content: typeof told === 'string' ? told : JSON.stringify(told), isError: error !== undefined }
}

function parametersOf(parametersJsonSchema: unknown, { parameters }: JsonObject): JsonObject {
  if (isObject(parametersJsonSchema)) return parametersJsonSchema
  return isObject(parameters) ? fromOpenApi(parameters) : { type: 'object', properties: {} }
}

function isEmpty({ type: _, properties, ...rest }: JsonObject): boolean {
  return isObject(properties) && Object.keys(properties).length === 0 && Object.keys(rest).length === 0
}
