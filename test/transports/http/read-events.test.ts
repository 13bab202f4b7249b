import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventReader } from '../../../src/transports/http/read-events.ts'
import { SseCursor } from '../../../src/transports/http/sse-cursor.ts'

const plenty = 1024 * 1024

/** What is read of these chunks; `oversize` stands where an event was thrown away. */
function read(chunks: readonly (string | Buffer)[], { maxBytes = plenty, isEnded = false } = {}) {
  const events: string[] = []
  const cursor = new SseCursor()
  const reader = new EventReader(cursor, maxBytes, {
    event: (type, data) => events.push(type === 'message' ? data : `${type}: ${data}`),
    oversize: () => events.push('oversize'),
  })
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  if (isEnded) reader.end()
  return { events, lastEventId: cursor.lastEventId, retryMs: cursor.retryMs }
}

function bytesOf(text: string): Buffer[] {
  return [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
}

const streams = {
  'one line': ['data: {"a":1}\n\n', ['{"a":1}']],
  'several lines': ['data: {\ndata: "a":1\ndata: }\n\n', ['{\n"a":1\n}']],
  'no space': ['data:x\n\n', ['x']],
  'a space of its own': ['data:  x\n\n', [' x']],
  comments: [': hi\n\n:\n\ndata: x\n: in the middle\n\n: bye\n\n', ['x']],
  'a byte order mark': ['\uFEFFdata: x\n\n', ['x']],
  types: ['event: endpoint\ndata: /m\n\nevent: message\ndata: x\n\n', ['endpoint: /m', 'x']],
  'unknown fields': ['colour: red\ndata: x\nnonsense\n\n', ['x']],
  'empty data': ['id: 1\ndata:\n\n', ['']],
  'beyond ASCII': ['data: ünïcödé 🎭\n\n', ['ünïcödé 🎭']],
  'two at once': ['data: 1\n\ndata: 2\n\n', ['1', '2']],
  'too many empty lines': ['\n\n\ndata: 1\n\n\n\ndata: 2\n\n', ['1', '2']],
} as const

describe.each([
  ['LF', '\n'],
  ['CR', '\r'],
  ['CRLF', '\r\n'],
])('lines that end in %s', (_, lineEnd) => {
  it.each(Object.entries(streams))('%s', (_, [text, events]) => {
    const stream = text.replaceAll('\n', lineEnd)
    expect(read([stream]).events).toEqual(events)
    expect(read(bytesOf(stream)).events).toEqual(events)
  })

  it('give their event away with their very last byte', () => {
    expect(read([`data: x${lineEnd}${lineEnd}`]).events).toEqual(['x'])
  })

  it('may be cut anywhere', () => {
    const text = Object.values(streams)
      .map(([text]) => text)
      .join('')
      .replaceAll('\n', lineEnd)
    const bytes = Buffer.from(text)
    const whole = read([bytes])
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length)), (cuts) => {
        const sorted = [0, ...cuts.sort((a, b) => a - b), bytes.length]
        const chunks = sorted.slice(1).map((end, index) => bytes.subarray(sorted[index], end))
        expect(read(chunks)).toEqual(whole)
      }),
    )
  })
})

describe('where the stream stands', () => {
  it('is the id of the last event, and stays there while events have none', () => {
    expect(read(['id: 7\ndata: x\n\ndata: y\n\n']).lastEventId).toBe('7')
  })

  it('moves with an event only when that is complete', () => {
    expect(read(['id: 7\ndata: x\n\nid: 8\ndata: y\n']).lastEventId).toBe('7')
  })

  it('is not in an event that the stream ended in, though that counts', () => {
    expect(read(['id: 7\ndata: x\n\nid: 8\ndata: y'], { isEnded: true })).toMatchObject({
      events: ['x', 'y'],
      lastEventId: '7',
    })
    expect(read(['id: 8\ndata: y\n'], { isEnded: true }).lastEventId).toBeUndefined()
    expect(read(['id: 7\ndata: x\n\nid:\ndata: y'], { isEnded: true }).lastEventId).toBe('7')
    expect(read(['id: 8\ndata: y\n\n'], { isEnded: true }).lastEventId).toBe('8')
  })

  it('is nowhere after an empty id', () => {
    expect(read(['id: 7\ndata: x\n\nid:\ndata: y\n\n']).lastEventId).toBeUndefined()
  })

  it('is written in the bytes of the stream, and not at all when no header can hold it', () => {
    const { lastEventId = '' } = read(['id: ü\ndata: x\n\n'])
    expect(Buffer.from(lastEventId, 'latin1').toString()).toBe('ü')
    expect(read(['id: a\u0001b\ndata: x\n\n']).lastEventId).toBeUndefined()
  })

  it('comes with the pause the server asks for, if that is a number', () => {
    expect(read(['retry: 500\n\n']).retryMs).toBe(500)
    expect(read(['retry: soon\n\n']).retryMs).toBe(1000)
  })
})

describe('the end of the stream', () => {
  it('completes an event that lacks its empty line', () => {
    expect(read(['data: x'], { isEnded: true }).events).toEqual(['x'])
    expect(read(['data: x\r'], { isEnded: true }).events).toEqual(['x'])
  })

  it('adds nothing to a complete one', () => {
    expect(read(['data: x\n\n'], { isEnded: true }).events).toEqual(['x'])
  })
})

describe('an event over the limit', () => {
  const large = 'x'.repeat(101)
  const around = (event: string): string => `data: before\n\n${event}data: after\n\n`

  it.each([
    ['in one line', `data: ${large}\n\n`],
    ['in many lines', `${'data: 0123456789\n'.repeat(12)}\n`],
    ['by its bytes alone', `data: ${'ü'.repeat(60)}\n\n`],
    ['with lines after the large one', `data: ${large}\nid: 1\nevent: x\ndata: y\n\n`],
    ['by far', `data: ${large.repeat(100)}\n\n`],
  ])('%s is reported once, and what follows is read', (_, event) => {
    const expected = ['before', 'oversize', 'after']
    expect(read([around(event)], { maxBytes: 100 }).events).toEqual(expected)
    expect(read(bytesOf(around(event)), { maxBytes: 100 }).events).toEqual(expected)
  })

  it('is one byte larger than one that fits', () => {
    expect(read([`data: ${'x'.repeat(100)}\n\n`], { maxBytes: 100 }).events).toEqual(['x'.repeat(100)])
    expect(read(bytesOf(`data: ${'x'.repeat(100)}\n\n`), { maxBytes: 100 }).events).toEqual(['x'.repeat(100)])
  })

  it('is not a flood of comments', () => {
    expect(read([': ping\n\n'.repeat(1000), 'data: x\n\n'], { maxBytes: 100 }).events).toEqual(['x'])
  })
})
