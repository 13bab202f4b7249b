import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import { blockText } from './block-text.ts'
import { cutText } from './cut-text.ts'
import type { ToolOutcome } from './tool-result.ts'

/** A tool's answer as a model reads it. `maxChars` cuts the text, nothing else; undefined: all of it. */
export function flatten(result: JsonObject, maxChars: number | undefined): ToolOutcome {
  const { content, structuredContent, _meta: meta } = result
  const hasStructured = Object.hasOwn(result, 'structuredContent')
  const text = Array.isArray(content) ? content.map(blockText).join('\n') : ''
  return {
    content: cutText(text === '' && hasStructured ? jsonText(structuredContent) : text, maxChars),
    is_error: result.isError === true,
    ...(hasStructured && { structured_content: structuredContent }),
    ...(isObject(meta) && { meta }),
  }
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value) ?? ''
  } catch {
    return '[structured content that is nested too deeply to be shown]'
  }
}
