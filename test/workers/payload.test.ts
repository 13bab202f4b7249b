import { MessageChannel, receiveMessageOnPort } from 'node:worker_threads'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { pack, unpack } from '../../workers/payload.ts'
import { json, text } from '../protocol/arbitraries.ts'

const { port1, port2 } = new MessageChannel()
afterAll(() => port1.close())

/** To the other side of a real port and back into a result. */
function cross(result: unknown): unknown {
  const { frame, transfer } = pack(7, result)
  port1.postMessage(frame, transfer)
  for (const buffer of transfer) expect(buffer.byteLength, 'transferred, not copied').toBe(0)
  const { message } = receiveMessageOnPort(port2) as { message: ReturnType<typeof pack>['frame'] }
  expect(message.id).toBe(7)
  return unpack(message)
}

const longText = fc
  .tuple(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 40 }), fc.integer({ min: 50, max: 300 }))
  .map(([piece, times]) => piece.repeat(times))
const blockText = fc.oneof(text, longText)
const block = fc.oneof(
  json,
  fc.record({ type: fc.constant('text'), text: blockText, _meta: json }, { requiredKeys: ['type', 'text'] }),
  fc.record({ type: fc.constant('image'), data: blockText, mimeType: fc.string() }),
  fc.record({ uri: text, blob: blockText }),
  fc.record({ uri: text, text: blockText }),
)
const result = fc
  .record(
    {
      content: fc.array(block),
      contents: fc.array(block),
      structuredContent: json,
      isError: json,
      ['__proto__']: json,
    },
    { requiredKeys: [] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)))

/** A tool's answer for a model. */
const outcome = fc
  .record(
    { content: blockText, is_error: fc.boolean(), structured_content: json, meta: json },
    { requiredKeys: ['content', 'is_error'] },
  )
  .map((value): unknown => JSON.parse(JSON.stringify(value)))

describe('a result that crosses a thread packed', () => {
  it('is the same result, whatever is in it', () => {
    fc.assert(
      fc.property(fc.oneof(result, outcome, json), (value) => {
        expect(cross(value)).toEqual(value)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['ASCII', 'x'],
    ['Latin', 'é'],
    ['CJK', '漢字'],
    ['emoji', '👩‍👩‍👧‍👦'],
    ['NUL and separators', '\0\u2028\ufeff'],
  ])('keeps long texts of every kind: %s', (_name, piece) => {
    const long = piece.repeat(100_000)
    const value = { content: [{ type: 'text', text: long }], structuredContent: { long } }
    expect(cross(value)).toEqual(value)
  })

  it('keeps lone surrogates in records, lists and short texts', () => {
    const odd = ['\ud800', 'a\udfffb', '\udc00\ud800']
    const value = { content: odd.map((piece) => ({ type: 'text', text: piece })), structuredContent: odd }
    expect(cross(value)).toEqual(value)
    expect(cross([odd])).toEqual([odd])
  })

  it('keeps lone surrogates in long texts', () => {
    const value = { content: [{ type: 'text', text: '\ud800'.repeat(10_000) }] }
    expect(cross(value)).toEqual(value)
  })

  it('leaves what was packed as it was', () => {
    const value = { content: [{ type: 'text', text: 'x'.repeat(100_000) }], structuredContent: { a: 1 } }
    const copy = structuredClone(value)
    cross(value)
    expect(value).toEqual(copy)
  })

  it('carries lists and plain values as well', () => {
    for (const value of [true, null, 5, 'x', [], [{ name: 'a' }], {}]) expect(cross(value)).toEqual(value)
  })
})

describe('structured content that crossed', () => {
  const crossed = () =>
    cross({ content: [], structuredContent: { n: [1] } }) as { structuredContent: unknown }

  it('is an own, enumerable property like any other, and parsed once', () => {
    const value = crossed()
    expect(Object.keys(value)).toEqual(['content', 'structuredContent'])
    expect(Object.hasOwn(value, 'structuredContent')).toBe(true)
    expect(value.structuredContent).toBe(value.structuredContent)
    expect(Object.getOwnPropertyDescriptor(value, 'structuredContent')).toEqual({
      value: { n: [1] },
      enumerable: true,
      configurable: true,
      writable: true,
    })
  })

  it('is what it is to every way of reading it', () => {
    expect(JSON.stringify(crossed())).toBe('{"content":[],"structuredContent":{"n":[1]}}')
    expect({ ...crossed() }).toEqual({ content: [], structuredContent: { n: [1] } })
    expect(structuredClone(crossed())).toEqual({ content: [], structuredContent: { n: [1] } })
    expect(Object.entries(crossed()).at(-1)).toEqual(['structuredContent', { n: [1] }])
  })

  it('can be replaced, before it was read and after', () => {
    const value = crossed()
    value.structuredContent = 'mine'
    expect(value).toEqual({ content: [], structuredContent: 'mine' })
    value.structuredContent = 'again'
    expect(value.structuredContent).toBe('again')
  })

  it('is absent where it was absent, and null where it was null', () => {
    expect(cross({ content: [] })).not.toHaveProperty('structuredContent')
    expect(cross({ content: [], structuredContent: null })).toEqual({ content: [], structuredContent: null })
  })
})
