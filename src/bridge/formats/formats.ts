import { ConfigError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { ToolCall, ToolDeclaration, ToolResult } from '../provider.ts'
import { type AiSdk, aiSdk } from './ai-sdk.ts'
import { type Anthropic, anthropic } from './anthropic.ts'
import type { Format, Shape, VendorCall } from './format.ts'
import { type Gemini, gemini } from './gemini.ts'
import { declaredCall, declaredTool, type NameTable } from './names.ts'
import { type OpenAiChat, openAiChat } from './openai-chat.ts'
import { type OpenAiResponses, openAiResponses } from './openai-responses.ts'
import { publish } from './publish.ts'
import { idsBeside, readCalls } from './read-calls.ts'

/** What each vendor's API exchanges. */
export interface FormatShapes {
  readonly 'openai-chat': OpenAiChat
  readonly 'openai-responses': OpenAiResponses
  readonly anthropic: Anthropic
  readonly gemini: Gemini
  readonly 'ai-sdk': AiSdk
}

export type FormatName = keyof FormatShapes

export interface FormatOptions {
  /** Told of each tool that was changed or left out, by name. Default: nobody is. */
  readonly onWarn?: (message: string) => void
}

export interface VendorTools<Name extends FormatName> {
  /** The request's `tools`. */
  readonly tools: FormatShapes[Name]['tools']
  /** For `callsFrom`: what had to be renamed. Empty with most catalogues. */
  readonly names: NameTable
}

/**
 * The catalogue as a vendor takes it. Schemas it refuses are repaired, never narrowed: what was a valid call is one still. A
 * tool that cannot be repaired is left out. Worth keeping until the catalogue changes: every schema is walked. Throws a
 * `ConfigError` only for an unknown format.
 */
export function toolsFor<Name extends FormatName>(
  format: Name,
  declarations: readonly ToolDeclaration[],
  { onWarn }: FormatOptions = {},
): VendorTools<Name> {
  const vendor = formatNamed(format)
  const { declarations: published, names } = publish(declarations, vendor.dialect, (message) =>
    onWarn?.(`${format}: ${message}`),
  )
  return { tools: vendor.toTools(published), names }
}

/**
 * The calls of a model's message, in its order. A call without an id, as some Gemini models make them, gets one that is
 * unique in the message. Throws a `ConfigError` for a call that names no tool, and for what is no message.
 */
export function callsFrom<Name extends FormatName>(
  format: Name,
  message: FormatShapes[Name]['message'],
  names: NameTable = new Map(),
): readonly ToolCall[] {
  return readCalls(callsIn(formatNamed(format), message)).map((call) => declaredCall(call, names))
}

/**
 * What to append to the conversation after the model's message: the results of its calls, in the order given. `message` is
 * the one that made them. Throws a `ConfigError` for the result of a call that is not in it.
 */
export function resultsFor<Name extends FormatName>(
  format: Name,
  results: readonly ToolResult[],
  message: FormatShapes[Name]['message'],
): FormatShapes[Name]['answer'][] {
  const vendor = formatNamed(format)
  const given = callsIn(vendor, message)
  const calls = new Map(readCalls(given).map((call, index) => [call.id, { call, own: given[index]?.id }]))
  return vendor.toAnswers(
    results.map((result, index) => {
      const answered = calls.get(result.tool_call_id)
      if (!answered)
        throw new ConfigError({
          path: ['results', String(index), 'tool_call_id'],
          reason: `the message has no call ${result.tool_call_id}`,
        })
      const { call, own } = answered
      return { result, name: call.function.name, id: own === call.id ? call.id : undefined }
    }),
  )
}

/** A vendor's tools as declarations; those that are no functions are left out. */
export function declarationsFrom<Name extends FormatName>(
  format: Name,
  tools: FormatShapes[Name]['tools'],
  names: NameTable = new Map(),
): readonly ToolDeclaration[] {
  return formatNamed(format)
    .fromTools(tools)
    .map((declaration) => declaredTool(declaration, names))
}

/** The results in messages of a conversation; what is no result in them is left out. OpenAI's APIs do not say what failed. */
export function resultsFrom<Name extends FormatName>(
  format: Name,
  answers: readonly FormatShapes[Name]['answer'][],
): readonly ToolResult[] {
  const results = formatNamed(format).fromAnswers(answers)
  const idOf = idsBeside(results.map(({ id }) => id))
  return results.map(({ id, content, isError }) => ({
    role: 'tool',
    tool_call_id: idOf(id),
    content,
    is_error: isError,
  }))
}

/** A whole response in the place of its message would pass for one that calls nothing. */
function callsIn<Vendor extends Shape>(
  { fromMessage, messageAt: [key, way] = ['', ''] }: Format<Vendor>,
  message: Vendor['message'],
): readonly VendorCall[] {
  const refuse = (reason: string) => new ConfigError({ path: ['message'], reason })
  if (!isObject(message)) throw refuse('must be an object: what the model answered')
  if (way && Object.hasOwn(message, key)) throw refuse(`is a whole response; pass its ${way}`)
  return fromMessage(message)
}

function formatNamed<Name extends FormatName>(name: Name): Format<FormatShapes[Name]> {
  if (Object.hasOwn(formats, name)) return formats[name]
  const known = Object.keys(formats).join(', ')
  throw new ConfigError({ path: ['format'], reason: `must be one of ${known}, not ${String(name)}` })
}

const formats: { readonly [Name in FormatName]: Format<FormatShapes[Name]> } = {
  'openai-chat': openAiChat,
  'openai-responses': openAiResponses,
  anthropic,
  gemini,
  'ai-sdk': aiSdk,
}
