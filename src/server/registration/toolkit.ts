import { badOption, type Check, checkOptions, string } from '../../check-options.ts'
import type { ConfigError } from '../../errors.ts'
import { isObject } from '../../protocol/json-rpc.ts'
import { type GroupOptions, prefixed, type Registrar, type Unregister } from './registrar.ts'
import type { HandlerModule, ToolDefinition, ToolHandler } from './tool.ts'

/** A bundle of tools, resources and prompts that plugs into any server. */
export interface Toolkit {
  /** Registers all it has. */
  register(registrar: Registrar): void
  /** The prefix it goes by when whoever plugs it names none; default none. */
  readonly defaultPrefix?: string
}

export interface PlugOptions extends GroupOptions {
  /** Default the toolkit's own; `''`: none. */
  readonly prefix?: string
}

/** A toolkit, by itself or with how to plug it. */
export type ToolkitWithOptions = Toolkit | readonly [toolkit: Toolkit, options: PlugOptions]

export function isToolkit(value: unknown): value is Toolkit {
  return isObject(value) && typeof value.register === 'function'
}

/** Registers a toolkit, whole or not at all. Returns what takes all of it away again. @throws what its registrations throw */
export function plugInto(
  inner: Registrar,
  toolkit: Toolkit,
  { prefix, ...options }: PlugOptions,
): Unregister {
  if (!isToolkit(toolkit)) throw badOption('toolkit', noToolkit(toolkit), ['plug'])
  checkOptions({ prefix, ...options }, checks, ['plug'])
  const taken: Unregister[] = []
  const takeAway = () => {
    for (const unregister of taken.splice(0)) unregister()
  }
  const noted = (unregister: Unregister) => {
    taken.push(unregister)
    return unregister
  }
  const recorder: Registrar = {
    tool: (name: string, definition: ToolDefinition, handler: ToolHandler<never> | HandlerModule) =>
      noted(inner.tool(name, definition, handler as ToolHandler)),
    resource: (...args) => noted(inner.resource(...args)),
    template: (...args) => noted(inner.template(...args)),
    prompt: (...args) => noted(inner.prompt(...args)),
    group: (deeper, register, grouping) => register(prefixed(recorder, deeper, grouping)),
    resourceUpdated: (uri) => inner.resourceUpdated(uri),
  }
  const name = prefix ?? toolkit.defaultPrefix ?? ''
  try {
    const answer: unknown = toolkit.register(name === '' ? recorder : prefixed(recorder, name, options))
    if (answer instanceof Promise) throw late(answer)
  } catch (error) {
    takeAway()
    throw error
  }
  return takeAway
}

function noToolkit(given: unknown): string {
  return typeof given === 'function'
    ? `must be a toolkit, not its class: new ${given.name || 'Toolkit'}(…)`
    : 'must be a toolkit: an object with the method register'
}

/** What it registers after this, or fails with, nobody would hear of. */
function late(answer: Promise<unknown>): ConfigError {
  answer.catch(() => {})
  return badOption('register', 'must not be async: a toolkit registers at once', ['toolkit'])
}

const checks: { readonly [option in keyof Required<PlugOptions>]: Check } = {
  prefix: string,
  separator: string,
}
