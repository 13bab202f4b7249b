import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LineSplitter } from '../../../src/transports/stdio/split-lines.ts'

type Out = string | { head: string; tail: string }

function split(chunks: readonly Uint8Array[], maxBytes = 1_000_000, edges = {}): Out[] {
  const lines: Out[] = []
  const splitter = new LineSplitter({
    maxBytes,
    ...edges,
    onLine: (text) => lines.push(text),
    onOversize: (head, tail) => lines.push({ head: head.toString('latin1'), tail: tail.toString('latin1') }),
  })
  for (const chunk of chunks) splitter.push(Buffer.from(chunk))
  splitter.end()
  return lines
}

function cut(bytes: Uint8Array, places: readonly number[]): Uint8Array[] {
  const sorted = [...new Set(places.map((place) => place % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...sorted].map((from, index) => bytes.subarray(from, sorted[index] ?? bytes.length))
}

/** Bytes of which many are newlines and many belong to characters of several bytes. */
const bytes = fc
  .array(
    fc.oneof(
      fc.constant(Buffer.from('\n')),
      fc.string({ unit: 'binary', maxLength: 12 }).map((text) => Buffer.from(text)),
      fc.uint8Array({ maxLength: 6 }),
    ),
  )
  .map((parts) => new Uint8Array(Buffer.concat(parts)))
const places = fc.array(fc.nat(500), { maxLength: 20 })

describe('lines of a byte stream', () => {
  it('are the same wherever the stream is cut', () => {
    fc.assert(
      fc.property(bytes, places, (stream, at) => {
        expect(split(cut(stream, at))).toEqual(split([stream]))
      }),
    )
  })

  it('are what decoding and splitting everything at once gives', () => {
    fc.assert(
      fc.property(bytes, places, (stream, at) => {
        const expected = Buffer.from(stream).toString().split('\n')
        if (expected.at(-1) === '') expected.pop()
        expect(split(cut(stream, at))).toEqual(expected)
      }),
    )
  })

  it('are the same with a limit, wherever the stream is cut', () => {
    fc.assert(
      fc.property(bytes, places, fc.integer({ min: 1, max: 12 }), (stream, at, limit) => {
        const edges = { headBytes: 4, tailBytes: 3 }
        const lines: Out[] = Buffer.from(stream)
          .toString('latin1')
          .split('\n')
          .map((line) =>
            line.length > limit
              ? { head: line.slice(0, 4), tail: line.slice(-3) }
              : Buffer.from(line, 'latin1').toString(),
          )
        if (lines.at(-1) === '') lines.pop()
        expect(split(cut(stream, at), limit, edges)).toEqual(lines)
      }),
    )
  })

  it('are joined from thousands of tiny pieces', () => {
    const line = 'é→🎭'.repeat(2000)
    const pieces = [...Buffer.from(`${line}\n${line}\n`)].map((byte) => Uint8Array.of(byte))
    expect(split(pieces)).toEqual([line, line])
  })

  it('that are too long are thrown away up to their newline, and the next one is read', () => {
    const chunks = [Buffer.from('{"id":1,'), Buffer.from('x'.repeat(500)), Buffer.from('"end"}\n{"id":2}\n')]
    expect(split(chunks, 100, { headBytes: 7, tailBytes: 6 })).toEqual([
      { head: '{"id":1', tail: '"end"}' },
      '{"id":2}',
    ])
  })

  it('survive a callback that throws', () => {
    const lines: string[] = []
    const splitter = new LineSplitter({
      maxBytes: 100,
      onLine: (text) => {
        if (text === 'bad') throw new Error('refused')
        lines.push(text)
      },
      onOversize: () => undefined,
    })
    splitter.push(Buffer.from('ba'))
    expect(() => splitter.push(Buffer.from('d\n'))).toThrow('refused')
    splitter.push(Buffer.from('good\n'))
    expect(lines).toEqual(['good'])
  })
})
