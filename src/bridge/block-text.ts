import { isObject, type JsonObject } from '../protocol/json-rpc.ts'

/** A content block as a model reads it. Binaries are named, with their type and size: their bytes cost tokens and tell it nothing. */
export function blockText(block: unknown): string {
  if (!isObject(block)) return '[unreadable content]'
  switch (block.type) {
    case 'text':
      return typeof block.text === 'string' ? block.text : '[unreadable text]'
    case 'image':
    case 'audio':
      return `[${block.type}: ${listed(block.mimeType, bytesOf(block.data))}]`
    case 'resource_link':
      return linkText(block)
    case 'resource':
      return isObject(block.resource) ? resourceText(block.resource) : '[unreadable resource]'
    default:
      return `[content of a kind unknown here: ${String(JSON.stringify(block.type)).slice(0, 100)}]`
  }
}

function linkText({ uri, name, title, description, mimeType, size }: JsonObject): string {
  const bytes = typeof size === 'number' ? `${size} bytes` : undefined
  const about = listed(title ?? name, mimeType, bytes)
  const line = `[resource link: ${listed(uri)}${about && ` (${about})`}]`
  return typeof description === 'string' && description !== '' ? `${line} ${description}` : line
}

function resourceText({ uri, mimeType, text, blob }: JsonObject): string {
  const head = `[resource: ${listed(uri, mimeType, typeof text === 'string' ? undefined : bytesOf(blob))}]`
  return typeof text === 'string' ? `${head}\n${text}` : head
}

function bytesOf(base64: unknown): string | undefined {
  return typeof base64 === 'string' ? `${Buffer.byteLength(base64, 'base64')} bytes` : undefined
}

/** What is known of it; servers leave things out. */
function listed(...parts: readonly unknown[]): string {
  return parts.filter((part) => typeof part === 'string' && part !== '').join(', ')
}
