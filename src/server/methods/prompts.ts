import { suggestion } from '../../nearest.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { RegisteredPrompt } from '../registration/prompt.ts'
import { within } from '../request/current-request.ts'
import type { Method } from './method.ts'
import { invalidParams, nameOf } from './params.ts'

export const getPrompt: Method = async ({ offer }, params, context) => {
  const name = nameOf(params, 'name')
  const prompt = offer.prompts.get(name)
  if (!prompt) throw invalidParams(`${name} is not a prompt of this server`)
  const args = readArguments(prompt, params.arguments ?? {})
  const answer: unknown = await within(context, () => prompt.handler(args, context))
  const result = readAnswer(answer)
  if (!result) throw new Error(`The prompt ${name} was answered with nothing that is a message`)
  return { result }
}

function readArguments(
  { listed: { name, arguments: known = [] } }: RegisteredPrompt,
  given: unknown,
): { readonly [argument: string]: string } {
  if (!isObject(given)) throw invalidParams('arguments must be an object')
  const args: { [argument: string]: string } = {}
  for (const [argument, value] of Object.entries(given)) {
    if (typeof value !== 'string') throw invalidParams(`${argument} must be a string: prompts take no others`)
    args[argument] = value
  }
  const names = known.map((argument) => argument.name)
  const stray = Object.keys(args).find((argument) => !names.includes(argument))
  if (stray !== undefined)
    throw invalidParams(
      `The prompt ${name} has no argument ${stray}. ${suggestion(stray, names, 'prompts/list')}`,
    )
  const missing = known.filter((argument) => argument.required && !Object.hasOwn(args, argument.name))
  if (missing.length > 0)
    throw invalidParams(`The prompt ${name} needs ${missing.map((argument) => argument.name).join(', ')}`)
  return args
}

function readAnswer(answer: unknown): JsonObject | undefined {
  if (typeof answer === 'string')
    return { messages: [{ role: 'user', content: { type: 'text', text: answer } }] }
  if (Array.isArray(answer)) return { messages: answer }
  return isObject(answer) && Array.isArray(answer.messages) ? answer : undefined
}
