import { Writable } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { MessageWriter } from '../../../src/transports/stdio/message-writer.ts'

function collector() {
  const writes: string[] = []
  const stream = new Writable({
    write(chunk, _, done) {
      writes.push(String(chunk))
      done()
    },
  })
  return { writes, stream, writer: new MessageWriter(stream) }
}

const turn = () => new Promise(setImmediate)

describe('writing messages', () => {
  it('puts all messages of one turn in one write', async () => {
    const { writes, writer } = collector()
    writer.send('{"id":1}')
    writer.send('{"id":2}')
    expect(writes).toEqual([])
    await turn()
    writer.send('{"id":3}')
    await turn()
    expect(writes).toEqual(['{"id":1}\n{"id":2}\n', '{"id":3}\n'])
  })

  it('writes what was sent before the end, and nothing after it', async () => {
    const { writes, stream, writer } = collector()
    writer.send('{"id":1}')
    writer.end()
    writer.send('{"id":2}')
    await turn()
    expect(writes).toEqual(['{"id":1}\n'])
    expect(stream.writableFinished).toBe(true)
  })

  it('says nothing about a stream that is gone', async () => {
    const { writes, stream, writer } = collector()
    stream.destroy()
    writer.send('{"id":1}')
    writer.end()
    await turn()
    expect(writes).toEqual([])
  })
})
