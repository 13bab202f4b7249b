import { createHash } from 'node:crypto'
import { closeSync, fstatSync, read } from 'node:fs'
import { promisify } from 'node:util'
import type { Directory } from '../root/directory.ts'
import { Refusal } from '../root/refusal.ts'
import { sizeText } from './size-text.ts'

/** All of a regular file. Never more than the limit is taken in, however it grows. @throws Refusal */
export async function readBytes(
  { directory, name }: { readonly directory: Directory; readonly name: string },
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  const descriptor = directory.openFile(name)
  try {
    const { size } = fstatSync(descriptor)
    if (size > maxBytes) throw tooLarge(size, maxBytes)
    return await readUpTo(descriptor, size, maxBytes)
  } finally {
    closeSync(descriptor)
  }
}

/** @throws Refusal for what is no text that could be written back unchanged */
export function readText(bytes: Uint8Array): string {
  if (isBinary(bytes)) throw new Refusal('it is not text')
  try {
    return decoder.decode(bytes)
  } catch {
    throw new Refusal('it is not text in UTF-8')
  }
}

/** Text holds no NUL. */
export function isBinary(bytes: Uint8Array): boolean {
  return bytes.includes(0)
}

/** What a file's content is told apart by. */
export function revisionOf(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export function tooLarge(size: number, maxBytes: number): Refusal {
  return new Refusal(
    `it has ${sizeText(size)}, and only files of up to ${sizeText(maxBytes)} are handled here`,
  )
}

async function readUpTo(
  descriptor: number,
  size: number,
  maxBytes: number,
): Promise<Uint8Array<ArrayBuffer>> {
  // One more than there should be: where that is read too, the file has grown.
  let bytes = new Uint8Array(size + 1)
  let length = 0
  for (;;) {
    const { bytesRead } = await readInto(descriptor, bytes, length, bytes.length - length, length)
    length += bytesRead
    if (bytesRead === 0) return bytes.subarray(0, length)
    if (length > maxBytes) throw tooLarge(length, maxBytes)
    if (length < bytes.length) continue
    const larger = new Uint8Array(Math.min(2 * length, maxBytes) + 1)
    larger.set(bytes)
    bytes = larger
  }
}

const readInto = promisify(read)
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
