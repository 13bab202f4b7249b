import { isObject, type JsonObject } from './json-rpc.ts'
import { tasksExtension } from './tasks.ts'

/** Open set; the members below are the ones this package acts on. */
export interface ServerCapabilities {
  readonly logging?: JsonObject
  readonly completions?: JsonObject
  readonly prompts?: { readonly listChanged?: boolean }
  readonly resources?: { readonly subscribe?: boolean; readonly listChanged?: boolean }
  readonly tools?: { readonly listChanged?: boolean }
  readonly extensions?: JsonObject
  readonly experimental?: JsonObject
  readonly [key: string]: unknown
}

export interface ClientCapabilities {
  readonly elicitation?: { readonly form?: JsonObject; readonly url?: JsonObject }
  readonly sampling?: { readonly context?: JsonObject; readonly tools?: JsonObject }
  readonly roots?: { readonly listChanged?: boolean }
  readonly extensions?: JsonObject
  readonly experimental?: JsonObject
}

/** The questions a server may put to a host. */
export type HookName = 'elicit' | 'sample' | 'listRoots'

/**
 * What is declared is what is wired: a hook that is set is a capability, a hook that is not is a promise never to be asked.
 * `override` replaces the derivation member by member, e.g. `{ elicitation: { form: {}, url: {} } }` for a host that opens browsers.
 */
export function deriveClientCapabilities(
  wired: readonly HookName[],
  override: ClientCapabilities = {},
  tasks = false,
): ClientCapabilities {
  const extensions = { ...(tasks && { [tasksExtension]: {} }), ...override.extensions }
  return {
    ...(wired.includes('elicit') && { elicitation: { form: {} } }),
    ...(wired.includes('sample') && { sampling: {} }),
    ...(wired.includes('listRoots') && { roots: {} }),
    ...override,
    ...(Object.keys(extensions).length > 0 && { extensions }),
  }
}

/** Whether such a sampling request was declared: one with tools needs `sampling.tools`. */
export function declaresSampling(capabilities: ClientCapabilities, tools: unknown): boolean {
  const declared = capabilities.sampling
  return declared !== undefined && (tools === undefined || declared.tools !== undefined)
}

/** Whether an elicitation of that mode was declared; `{}` means form only. */
export function declaresElicitation(capabilities: ClientCapabilities, mode: unknown): boolean {
  const declared = capabilities.elicitation
  if (!declared) return false
  if (mode === 'url') return declared.url !== undefined
  return declared.form !== undefined || declared.url === undefined
}

/** Whether a request's client takes tasks for answers. */
export function declaresTasks({ extensions }: ClientCapabilities): boolean {
  return isObject(extensions) && isObject(extensions[tasksExtension])
}
