import { blockText } from '../../bridge/block-text.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import type { Tool } from '../../protocol/tools.ts'

/** A tool as legacy clients can have it: their structured content is an object. */
export function offersObjectsOnly(tool: Tool): Tool {
  if (tool.outputSchema === undefined || tool.outputSchema.type === 'object') return tool
  const { outputSchema: _modern, ...rest } = tool
  return rest
}

/** A result without what the revision does not know: newer kinds of content become text, which loses no words. */
export function legacyResult(method: string, result: JsonObject, version: string): JsonObject {
  if (method === 'prompts/get' && Array.isArray(result.messages)) {
    const messages = result.messages.map((message: unknown) =>
      isObject(message) ? { ...message, content: knownBlock(message.content, version) } : message,
    )
    return { ...result, messages }
  }
  if (method !== 'tools/call' || !Array.isArray(result.content)) return result
  const { structuredContent, ...rest } = result
  const isKnown = isObject(structuredContent) && version >= '2025-06-18'
  const content = result.content.map((block: unknown) => knownBlock(block, version))
  return { ...rest, content, ...(isKnown && { structuredContent }) }
}

function knownBlock(block: unknown, version: string): unknown {
  if (!isObject(block)) return block
  const since =
    typeof block.type === 'string' && Object.hasOwn(newer, block.type) ? newer[block.type] : undefined
  return since !== undefined && version < since ? { type: 'text', text: blockText(block) } : block
}

/** The revisions that brought a kind of content. They are dates: they compare as text. */
const newer: { readonly [type: string]: string } = { audio: '2025-03-26', resource_link: '2025-06-18' }
