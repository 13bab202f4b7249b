import { badOption, type Check, checkOptions, flag, hook, json, string, text } from '../../check-options.ts'
import type { Icon } from '../../protocol/implementation.ts'
import type { JsonObject } from '../../protocol/json-rpc.ts'
import type { GetPromptResult, Prompt, PromptArgument, PromptMessage } from '../../protocol/prompts.ts'
import type { RequestContext } from '../request/request-context.ts'
import type { Completer } from './completer.ts'
import { icons } from './icons.ts'

export interface PromptDefinition {
  readonly title?: string
  readonly description?: string
  /** Strings all of them; what is not named here is refused. Default none. */
  readonly arguments?: readonly PromptArgumentDefinition[]
  readonly icons?: readonly Icon[]
  readonly meta?: JsonObject
}

export interface PromptArgumentDefinition extends PromptArgument {
  /** The values it could take, for who is typing one; default no help. */
  readonly complete?: Completer
}

/** Text (one message of the user), messages, or all of a result. */
export type PromptAnswer = string | readonly PromptMessage[] | GetPromptResult

export type PromptHandler = (
  args: { readonly [argument: string]: string },
  context: RequestContext,
) => PromptAnswer | Promise<PromptAnswer>

export interface RegisteredPrompt {
  readonly listed: Prompt
  readonly complete: { readonly [argument: string]: Completer }
  readonly handler: PromptHandler
}

/** @throws ConfigError */
export function preparePrompt(
  name: string,
  definition: PromptDefinition,
  handler: unknown,
): RegisteredPrompt {
  const path = ['prompt', name]
  checkOptions(definition, checks, path)
  const complaint = hook(handler)
  if (complaint) throw badOption('handler', complaint, path)
  const { arguments: given, meta, ...listed } = definition
  const complete: { [argument: string]: Completer } = {}
  const listedArguments = given?.map((argument, index) => {
    checkOptions(argument, argumentChecks, [...path, 'arguments', String(index)])
    const { complete: completer, ...rest } = argument
    if (rest.name === undefined) throw badOption('name', 'is missing', [...path, 'arguments', String(index)])
    if (completer) complete[rest.name] = completer
    return rest
  })
  return {
    listed: {
      name,
      ...listed,
      ...(listedArguments && { arguments: listedArguments }),
      ...(meta && { _meta: meta }),
    },
    complete,
    handler: handler as PromptHandler,
  }
}

const checks: { readonly [option in keyof Required<PromptDefinition>]: Check } = {
  title: string,
  description: string,
  arguments: (value) => (Array.isArray(value) ? undefined : 'must be an array'),
  icons,
  meta: json,
}

const argumentChecks: { readonly [option in keyof Required<PromptArgumentDefinition>]: Check } = {
  name: text,
  title: string,
  description: string,
  required: flag,
  complete: hook,
}
