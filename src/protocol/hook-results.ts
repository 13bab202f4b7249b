import type { HookName } from './capabilities.ts'
import { applyDefaults } from './elicitation.ts'
import { isObject, type JsonObject } from './json-rpc.ts'

/** What a hook returned as what may go to a server, or what is wrong with it. Always plain JSON. */
export type HookResult = { readonly body: JsonObject } | { readonly complaint: string }

/** Checks and completes the answer to a question with `params`. */
export function readHookResult(hook: HookName, params: JsonObject, returned: unknown): HookResult {
  const body: unknown = toJson(returned)
  if (!isObject(body)) return { complaint: 'returned no object of JSON' }
  switch (hook) {
    case 'elicit':
      return readElicitation(params, body)
    case 'listRoots': {
      const areRoots =
        Array.isArray(body.roots) && body.roots.every((root) => isObject(root) && isFileUri(root.uri))
      return areRoots ? { body } : { complaint: 'returned no roots, or one that is no file:// URI' }
    }
    case 'sample':
      return { body }
  }
}

/** Only an accepted form carries content. */
function readElicitation(params: JsonObject, body: JsonObject): HookResult {
  const { action, content: _content, ...rest } = body
  if (action === 'accept') return { body: applyDefaults(params, body) }
  if (action === 'decline' || action === 'cancel') return { body: { ...rest, action } }
  return { complaint: 'returned an action that is none of accept, decline and cancel' }
}

function isFileUri(uri: unknown): boolean {
  return typeof uri === 'string' && uri.startsWith('file://')
}

function toJson(value: unknown): unknown {
  const text = JSON.stringify(value)
  return text === undefined ? undefined : JSON.parse(text)
}
