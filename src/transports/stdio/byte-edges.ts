/** Up to `count` bytes of the beginning. Copied, so that the parts themselves can be freed. */
export function firstBytes(parts: readonly Buffer[], count: number): Buffer {
  const head = Buffer.alloc(Math.min(count, sizeOf(parts)))
  let at = 0
  for (const part of parts) {
    if (at === head.length) break
    at += part.copy(head, at)
  }
  return head
}

/** Up to `count` bytes of the end, copied. */
export function lastBytes(parts: readonly Buffer[], count: number): Buffer {
  const tail = Buffer.alloc(Math.min(count, sizeOf(parts)))
  let at = tail.length
  for (const part of parts.toReversed()) {
    if (at === 0) break
    const taken = Math.min(at, part.length)
    at -= taken
    part.copy(tail, at, part.length - taken)
  }
  return tail
}

function sizeOf(parts: readonly Buffer[]): number {
  return parts.reduce((size, part) => size + part.length, 0)
}
