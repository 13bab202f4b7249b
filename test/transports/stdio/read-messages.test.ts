import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readMessages } from '../../../src/transports/stdio/read-messages.ts'
import { Recorder } from './harness.ts'

function read(chunks: readonly (string | Uint8Array)[], limit = 1_000_000): Recorder {
  const record = new Recorder()
  const reader = readMessages(record, limit)
  for (const chunk of chunks) reader.push(Buffer.from(chunk))
  reader.end()
  return record
}

describe('reading messages', () => {
  it('takes objects and batches, with the text they were parsed from', () => {
    const record = read(['{"id":1}\n[{"id":2}]\n'])
    expect(record.heard).toEqual([
      { event: 'message', message: { id: 1 }, text: '{"id":1}' },
      { event: 'message', message: [{ id: 2 }], text: '[{"id":2}]' },
    ])
  })

  it('drops a trailing CR, a byte order mark and blank lines without a word', () => {
    const record = read([
      '\uFEFF{"id":1}\r\n',
      '\r\n',
      '\n  \t\n',
      '\uFEFF\n',
      '\uFEFF{"id":2}\r\n',
      '  {"id":3} \r\n',
    ])
    expect(record.messages).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }])
    expect(record.names).not.toContain('noise')
    expect(record.all('message')[1]?.text).toBe('{"id":2}')
  })

  it.each([
    ['words', 'Server started'],
    ['half an object', '{"id":1'],
    ['two objects', '{"id":1}{"id":2}'],
    ['a string', '"{}"'],
    ['a number', '42'],
    ['null', 'null'],
    ['bytes that are no text', '\uFFFD\uFFFD'],
  ])('calls %s noise and goes on', (_, line) => {
    const record = read([`${line}\n{"id":1}\n`])
    expect(record.heard[0]).toEqual({ event: 'noise', sample: line })
    expect(record.messages).toEqual([{ id: 1 }])
  })

  it('cuts a sample of noise to 200 characters', () => {
    expect(read([`${'n'.repeat(5000)}\n`]).all('noise')[0]?.sample).toBe('n'.repeat(200))
  })

  it('delivers a last message that has no newline, for a server that dies right after it', () => {
    expect(read(['{"id":1}\n{"id":2}']).messages).toEqual([{ id: 1 }, { id: 2 }])
  })

  it('reports a message over the limit with the id it answers, and goes on', () => {
    const record = read([`{"jsonrpc":"2.0","id":7,"result":"${'x'.repeat(3000)}"}\n{"id":8}\n`], 2000)
    expect(record.heard[0]).toEqual({ event: 'oversize', id: 7, maxMessageBytes: 2000 })
    expect(record.messages).toEqual([{ id: 8 }])
  })

  it('fails the call whose answer is nested too deeply, whichever member comes first, and goes on', () => {
    const deep = `${'['.repeat(9_000)}${']'.repeat(9_000)}`
    const record = read([
      `{"jsonrpc":"2.0","id":7,"result":{"a":${deep}}}\n{"result":{"a":${deep}},"jsonrpc":"2.0","id":8}\n`,
      `{"jsonrpc":"2.0","method":"notifications/deep","params":{"a":${deep}}}\n{"id":9}\n`,
    ])
    const failure = expect.objectContaining({ code: 'INVALID_RESULT' })
    expect(record.heard).toEqual([
      { event: 'failed', id: 7, failure },
      { event: 'failed', id: 8, failure },
      { event: 'noise', sample: 'a message was not read, because it is nested deeper than 1000 levels' },
      { event: 'message', message: { id: 9 }, text: '{"id":9}' },
    ])
  })

  it('gives the same messages wherever the stream is cut', () => {
    const line = fc.oneof(
      fc
        .record({ id: fc.nat(), text: fc.string({ unit: 'binary' }) })
        .map((message) => JSON.stringify(message)),
      fc.constantFrom('', 'noise', '\uFEFF{"id":1}\r', '[1, 2]', '{"broken', 'ünïcödé 🎭'),
    )
    const stream = fc.array(line).map((lines) => Buffer.from(lines.join('\n')))
    fc.assert(
      fc.property(stream, fc.array(fc.nat(300)), (whole, places) => {
        const at = [...places, whole.length].map((place) => place % (whole.length + 1)).sort((a, b) => a - b)
        const pieces = [0, ...at].map((from, index) => whole.subarray(from, at[index] ?? whole.length))
        expect(read(pieces).heard).toEqual(read([whole]).heard)
      }),
    )
  })
})
