import { isObject } from '../../protocol/json-rpc.ts'

/** The text of a content that is text or a list of parts; what is no text is named. */
export function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return content === undefined || content === null ? '' : JSON.stringify(content)
  return content
    .map((part) => {
      if (!isObject(part)) return String(part)
      return typeof part.text === 'string' ? part.text : `[${String(part.type)}]`
    })
    .join('\n')
}

/** The description of a declaration, where it says anything: vendors refuse or waste an empty one. */
export function described(description: string): { readonly description?: string } {
  return description === '' ? {} : { description }
}
