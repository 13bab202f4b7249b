import { isObject, type JsonObject } from '../src/protocol/json-rpc.ts'
import type { CallId } from './frames.ts'

/**
 * How a large result crosses a thread. Cloning an object of a megabyte costs both threads milliseconds, so long texts go as
 * transferred bytes, records as the bytes of their JSON, and small results in the batch of their turn.
 */
export type PackedResult =
  | {
      readonly kind: 'packed'
      readonly id: CallId
      readonly head: JsonObject
      readonly texts: readonly PackedText[]
      readonly structured: PackedString | undefined
    }
  /** A tool's answer for a model: its text, and what is structured. */
  | {
      readonly kind: 'text'
      readonly id: CallId
      readonly head: JsonObject
      readonly text: PackedString
      readonly structured: PackedString | undefined
    }
  | { readonly kind: 'json'; readonly id: CallId; readonly json: PackedString }

/** Stands at `head[list][index][key]`. */
interface PackedText {
  readonly list: string
  readonly index: number
  readonly key: string
  readonly text: PackedString
}

/** `isAscii` bytes decode by copying. */
interface PackedString {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly isAscii: boolean
}

/** Results below this many characters cross in the batch of their turn. */
export const packFromChars = 4 * 1024
const longTextChars = 2 * 1024
const blockLists = ['content', 'contents'] as const
const blockTexts = ['text', 'data', 'blob'] as const

export function pack(
  id: CallId,
  result: unknown,
): { readonly frame: PackedResult; readonly transfer: readonly ArrayBuffer[] } {
  const transfer: ArrayBuffer[] = []
  const packString = (text: string): PackedString => {
    const bytes = new Uint8Array(Buffer.byteLength(text))
    Buffer.from(bytes.buffer).write(text)
    transfer.push(bytes.buffer)
    return { bytes, isAscii: bytes.length === text.length }
  }
  if (isObject(result) && typeof result.content === 'string' && result.content.isWellFormed()) {
    const { content, structured_content: structured, ...head } = result
    const text = packString(content)
    const json = structured === undefined ? undefined : packString(JSON.stringify(structured))
    return { frame: { kind: 'text', id, head, text, structured: json }, transfer }
  }
  if (!isObject(result) || !blockLists.some((list) => Array.isArray(result[list]))) {
    return { frame: { kind: 'json', id, json: packString(JSON.stringify(result) ?? 'null') }, transfer }
  }
  const texts: PackedText[] = []
  const { structuredContent, ...head } = result
  const shell: { [key: string]: unknown } = head
  for (const list of blockLists) {
    const blocks = result[list]
    if (Array.isArray(blocks))
      shell[list] = blocks.map((block, index) => packBlock(block, list, index, texts, packString))
  }
  const hasStructured = Object.hasOwn(result, 'structuredContent')
  const structured = hasStructured ? packString(JSON.stringify(structuredContent)) : undefined
  return { frame: { kind: 'packed', id, head: shell, texts, structured }, transfer }
}

/** The result again. Records are parsed when they are first read, once. */
export function unpack(packed: PackedResult): unknown {
  if (packed.kind === 'json') return JSON.parse(unpackString(packed.json))
  if (packed.kind === 'text') return unpackText(packed)
  const { head, texts, structured } = packed
  for (const { list, index, key, text } of texts) {
    const blocks = head[list]
    const block: unknown = Array.isArray(blocks) ? blocks[index] : undefined
    if (isObject(block)) Object.assign(block, { [key]: unpackString(text) })
  }
  return structured ? withLazyRecords(head, structured) : head
}

function unpackText({ head, text, structured }: Extract<PackedResult, { kind: 'text' }>): unknown {
  const content = unpackString(text)
  if (!structured) return { ...head, content }
  return { ...head, content, structured_content: JSON.parse(unpackString(structured)) }
}

function packBlock(
  block: unknown,
  list: string,
  index: number,
  texts: PackedText[],
  packString: (text: string) => PackedString,
): unknown {
  if (!isObject(block)) return block
  const key = blockTexts.find(
    (name) => typeof block[name] === 'string' && block[name].length >= longTextChars,
  )
  const text = key && block[key]
  // Lone surrogates are no UTF-8: such a text stays where cloning keeps it.
  if (key === undefined || typeof text !== 'string' || !text.isWellFormed()) return block
  texts.push({ list, index, key, text: packString(text) })
  return { ...block, [key]: '' }
}

function unpackString({ bytes, isAscii }: PackedString): string {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return buffer.toString(isAscii ? 'latin1' : 'utf8')
}

/** An own, enumerable accessor that becomes plain data on first read: to a caller it is the value. */
function withLazyRecords(head: JsonObject, structured: PackedString): JsonObject {
  const settle = (value: unknown) => {
    Object.defineProperty(head, 'structuredContent', {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    })
    return value
  }
  return Object.defineProperty(head, 'structuredContent', {
    enumerable: true,
    configurable: true,
    get: () => settle(JSON.parse(unpackString(structured))),
    set: settle,
  })
}
