import type { HookName } from './capabilities.ts'
import { isObject, type JsonObject } from './json-rpc.ts'

/** What is wrong with a question: no hook is given what its types rule out. Undefined: nothing. */
export function complaintAboutQuestion(hook: HookName, params: JsonObject): string | undefined {
  switch (hook) {
    case 'elicit':
      return firstComplaint(params, params.mode === 'url' ? urlMembers : formMembers)
    case 'sample':
      return firstComplaint(params, sampleMembers)
    case 'listRoots':
      return undefined
  }
}

/** By member: whether it is good. */
type Members = { readonly [member: string]: (value: unknown) => boolean }

function firstComplaint(params: JsonObject, members: Members): string | undefined {
  const bad = Object.entries(members).find(([member, isGood]) => !isGood(params[member]))
  return bad && `${bad[0]} is ${params[bad[0]] === undefined ? 'missing' : 'malformed'}`
}

const isText = (value: unknown) => typeof value === 'string'
const isNumber = (value: unknown) => typeof value === 'number'
const listOf = (isGood: (item: unknown) => boolean) => (value: unknown) =>
  Array.isArray(value) && value.every(isGood)
const optional = (isGood: (value: unknown) => boolean) => (value: unknown) =>
  value === undefined || isGood(value)

const urlMembers: Members = { message: isText, url: isText }
const formMembers: Members = { message: isText, requestedSchema: isFormSchema }

function isFormSchema(schema: unknown): boolean {
  if (!isObject(schema) || !isObject(schema.properties)) return false
  const { type = 'object', properties, required } = schema
  return type === 'object' && Object.values(properties).every(isObject) && optional(listOf(isText))(required)
}

const sampleMembers: Members = {
  messages: listOf(isSamplingMessage),
  maxTokens: isNumber,
  systemPrompt: optional(isText),
  temperature: optional(isNumber),
  stopSequences: optional(listOf(isText)),
  modelPreferences: optional(isModelPreferences),
  includeContext: optional(isText),
  metadata: optional(isObject),
  tools: optional(listOf(isObject)),
  toolChoice: optional(isObject),
}

/** Of a question, and what an answer is too. */
export function isSamplingMessage(message: unknown): boolean {
  if (!isObject(message)) return false
  const { role, content } = message
  return (role === 'user' || role === 'assistant') && [content].flat().every(isBlock)
}

function isBlock(block: unknown): boolean {
  if (!isObject(block)) return false
  switch (block.type) {
    case 'text':
      return isText(block.text)
    case 'image':
    case 'audio':
      return isText(block.data) && isText(block.mimeType)
    case 'tool_use':
      return isText(block.id) && isText(block.name) && isObject(block.input)
    case 'tool_result':
      return isText(block.toolUseId) && listOf(isObject)(block.content)
    default:
      return false
  }
}

function isModelPreferences(value: unknown): boolean {
  return isObject(value) && optional(listOf(isObject))(value.hints)
}
