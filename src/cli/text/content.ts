import type { ContentBlock, ResourceContents } from '../../protocol/content.ts'
import type { Sink } from '../io.ts'
import { bytes, decodedLength } from './bytes.ts'
import { oneLine, printable } from './printable.ts'
import type { Style } from './style.ts'

/** Content as text: what is text as it is, everything else by name. */
export function contentText(content: readonly ContentBlock[], sink: Sink, style: Style): string {
  return content.map((block) => blockText(block, sink, style)).join('\n')
}

/** A server's own text: as it is for a program, harmless for a terminal. */
export function textFor(sink: Sink, text: string): string {
  return sink.isTerminal ? printable(text) : text
}

function blockText(block: ContentBlock, sink: Sink, style: Style): string {
  switch (block.type) {
    case 'text':
      return textFor(sink, block.text)
    case 'image':
    case 'audio':
      return named(style, block.mimeType ?? block.type, size(block.data))
    case 'resource_link':
      return named(
        style,
        block.uri,
        block.title ?? block.name,
        block.mimeType,
        typeof block.size === 'number' && block.size > 0 ? bytes(block.size) : undefined,
      )
    case 'resource':
      return resourceText(block.resource, sink, style)
    default:
      return named(style, (block as { type: unknown }).type)
  }
}

function resourceText({ uri, mimeType, text, blob }: ResourceContents, sink: Sink, style: Style): string {
  if (typeof text !== 'string') return named(style, uri, mimeType, size(blob))
  return `${named(style, uri, mimeType)}\n${textFor(sink, text)}`
}

/** Of what a server says beside the content itself, whatever is text. */
function named(style: Style, ...facts: readonly unknown[]): string {
  const known = facts.map(oneLine).filter((fact) => fact !== '')
  return style.dim(`[${known.join(', ')}]`)
}

function size(base64: string | undefined): string | undefined {
  return typeof base64 === 'string' ? bytes(decodedLength(base64)) : undefined
}
