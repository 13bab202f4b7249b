import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Offer } from '../offer.ts'
import type { Completer } from '../registration/completer.ts'
import { within } from '../request/current-request.ts'
import type { Method } from './method.ts'
import { invalidParams, nameOf } from './params.ts'

/** An argument nobody completes has no values; what is not there at all is an error. */
export const complete: Method = async ({ offer }, params, context) => {
  const { ref, argument, context: around } = params
  if (!isObject(ref) || !isObject(argument)) throw invalidParams('ref and argument must be objects')
  const completer = completersOf(offer, ref)[nameOf(argument, 'name')]
  const value = nameOf(argument, 'value')
  const decided = isObject(around) && isObject(around.arguments) ? around.arguments : {}
  if (!completer) return { result: completionOf([]) }
  const answer: unknown = await within(context, () => completer(value, texts(decided), context))
  return { result: completionOf(answer) }
}

function completersOf(offer: Offer, ref: JsonObject): { readonly [argument: string]: Completer | undefined } {
  const isPrompt = ref.type === 'ref/prompt'
  if (!isPrompt && ref.type !== 'ref/resource')
    throw invalidParams('ref.type must be ref/prompt or ref/resource')
  const key = nameOf(ref, isPrompt ? 'name' : 'uri')
  const item = isPrompt ? offer.prompts.get(key) : offer.templates.get(key)
  if (item) return Object.assign(Object.create(null), item.complete)
  if (offer.resources.get(key)) return Object.create(null)
  throw invalidParams(`There is no ${isPrompt ? 'prompt' : 'resource template'} ${key.slice(0, 500)}`)
}

function completionOf(answer: unknown): JsonObject {
  if (isObject(answer) && Array.isArray(answer.values)) return { completion: answer }
  if (!Array.isArray(answer)) throw new Error('A completer answered with nothing that is a list of values')
  const values = answer.slice(0, mostValues)
  return { completion: { values, total: answer.length, hasMore: answer.length > values.length } }
}

function texts(decided: JsonObject): { readonly [argument: string]: string } {
  const entries = Object.entries(decided).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(entries) as { [argument: string]: string }
}

const mostValues = 100
