import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Prompt } from '../../protocol/prompts.ts'
import type { Tool } from '../../protocol/tools.ts'
import { memberTexts, typeText } from '../schema/type-text.ts'
import { oneLine } from './printable.ts'
import type { Style } from './style.ts'
import { fill } from './wrap.ts'

/** A tool as a TypeScript function: `read_file(path: string, head?: number): { content: string }`. */
export function toolSignature(tool: Tool, width: number | undefined, style: Style): string {
  const { name, inputSchema, outputSchema } = tool
  // Servers are not to be trusted with that either.
  const parameters = isObject(inputSchema) ? memberTexts(inputSchema, inputSchema) : []
  const result = isObject(outputSchema) ? typeText(outputSchema, outputSchema) : undefined
  return signature(name, parameters, result, width, style)
}

/** A prompt likewise; its arguments are all strings. */
export function promptSignature(prompt: Prompt, width: number | undefined, style: Style): string {
  const given: unknown = prompt.arguments
  const parameters = (Array.isArray(given) ? given : [])
    .filter(isNamed)
    .map(({ name, required }) => `${name}${required === true ? '' : '?'}: string`)
  return signature(prompt.name, parameters, undefined, width, style)
}

function signature(
  name: string,
  parameters: readonly string[],
  result: string | undefined,
  width: number | undefined,
  style: Style,
): string {
  const head = `${style.bold(oneLine(name))}(`
  const end = result === undefined ? ')' : '):'
  const painted = parameters.map((parameter) => paintMember(oneLine(parameter), style))
  const pieces = painted.map((text, index) => text + (index < painted.length - 1 ? ',' : end))
  const [first = end, ...others] = pieces
  const returned = result === undefined ? [] : [style.cyan(oneLine(result))]
  return fill([head + first, ...others, ...returned], width, '', '    ')
}

function paintMember(member: string, style: Style): string {
  const colon = member.indexOf(': ')
  const equals = member.indexOf(' = ', colon)
  const type = member.slice(colon + 2, equals < 0 ? undefined : equals)
  const fallback = equals < 0 ? '' : style.dim(member.slice(equals))
  return `${member.slice(0, colon + 2)}${style.cyan(type)}${fallback}`
}

function isNamed(argument: unknown): argument is JsonObject & { readonly name: string } {
  return isObject(argument) && typeof argument.name === 'string'
}
