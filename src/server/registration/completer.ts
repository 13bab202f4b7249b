import { badOption } from '../../check-options.ts'
import type { Completion } from '../../protocol/completion.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import type { RequestContext } from '../request/request-context.ts'

/**
 * The values an argument could take, given what was typed of it. `decided` holds the arguments that are settled already. Of an
 * array the first 100 are sent.
 */
export type Completer = (
  value: string,
  decided: { readonly [argument: string]: string },
  context: RequestContext,
) => CompleterAnswer | Promise<CompleterAnswer>

export type CompleterAnswer = readonly string[] | Completion

/** @throws ConfigError */
export function checkCompleters(given: unknown, names: readonly string[], path: readonly string[]): void {
  if (!isObject(given)) throw badOption('complete', 'must be an object of functions', path)
  for (const [name, completer] of Object.entries(given)) {
    if (!names.includes(name))
      throw badOption('complete', `completes ${name}, but there are only ${names.join(', ')}`, path)
    if (typeof completer !== 'function') throw badOption('complete', `of ${name} must be a function`, path)
  }
}
