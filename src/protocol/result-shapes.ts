import { isObject, type JsonObject } from './json-rpc.ts'

/** A complete result with the one member its method cannot be without, or what is wrong with it. */
export type ShapedResult = { readonly result: JsonObject } | { readonly complaint: string }

/** Checked once where results are parsed, so that nobody behind it has to. Tool results may be structured alone. */
export function shapeResult(method: string, result: JsonObject): ShapedResult {
  switch (method) {
    case 'tools/call':
      if (Array.isArray(result.content)) return { result }
      if (result.content === undefined && Object.hasOwn(result, 'structuredContent'))
        return { result: { ...result, content: [] } }
      return { complaint: 'content is not an array' }
    case 'resources/read':
      return Array.isArray(result.contents) ? { result } : { complaint: 'contents is not an array' }
    case 'prompts/get':
      return Array.isArray(result.messages) ? { result } : { complaint: 'messages is not an array' }
    case 'completion/complete':
      return isObject(result.completion) && Array.isArray(result.completion.values)
        ? { result }
        : { complaint: 'completion.values is not an array' }
    default:
      return { result }
  }
}
