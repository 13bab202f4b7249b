import { readHookResult } from '../../protocol/hook-results.ts'
import { hookFor } from '../../protocol/input-requests.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { isSamplingMessage } from '../../protocol/question-shape.ts'

/** A client's answer to a question, or undefined when it is none: then it is asked again, or refused. */
export function readResponse(method: string, params: JsonObject, response: unknown): JsonObject | undefined {
  const hook = hookFor(method)
  if (!hook || !isObject(response)) return undefined
  const reading = readHookResult(hook, params, response)
  if ('complaint' in reading) return undefined
  const { body } = reading
  if (hook === 'sample') return isSamplingMessage(body) && typeof body.model === 'string' ? body : undefined
  if (hook === 'elicit' && body.action === 'accept' && params.mode !== 'url')
    return fitsForm(params.requestedSchema, body.content) ? body : undefined
  return body
}

/** Whether content fits the flat schema of a form. */
function fitsForm(schema: unknown, content: unknown): boolean {
  if (!isObject(schema) || !isObject(content)) return false
  const { properties = {}, required = [] } = schema
  if (!isObject(properties) || !Array.isArray(required)) return false
  return (
    required.every((name: string) => Object.hasOwn(content, name)) &&
    Object.entries(content).every(
      ([name, value]) => !Object.hasOwn(properties, name) || fitsField(properties[name], value),
    )
  )
}

function fitsField(field: unknown, value: unknown): boolean {
  if (!isObject(field)) return true
  switch (field.type) {
    case 'string':
      return typeof value === 'string' && isChoice(field, value)
    case 'integer':
      return Number.isInteger(value)
    case 'number':
    case 'boolean':
      return typeof value === field.type
    case 'array':
      return Array.isArray(value) && value.every((one) => isObject(field.items) && isChoice(field.items, one))
    default:
      return true
  }
}

function isChoice({ enum: choices, oneOf, anyOf }: JsonObject, value: unknown): boolean {
  if (Array.isArray(choices)) return choices.includes(value)
  const titled = oneOf ?? anyOf
  return !Array.isArray(titled) || titled.some((choice) => isObject(choice) && choice.const === value)
}
