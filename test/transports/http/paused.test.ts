import { setImmediate } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { event, json, opened, openedInTime, request, result, serve, stream } from './harness.ts'

const note = JSON.stringify({
  jsonrpc: '2.0',
  method: 'notifications/flood',
  params: { data: 'x'.repeat(10_000) },
})
const notes = 3_000

/** Far more turns than it takes to read all that. */
async function manyTurns(): Promise<void> {
  for (let turn = 0; turn < 2_000; turn++) await setImmediate()
}

describe('a wire that is paused', () => {
  it('is read no further, so that the connection holds the server back, and then to the end', async () => {
    const server = await serve(({ message }, response) => {
      stream(response)
      for (let n = 0; n < notes; n++) response.write(event(note))
      response.end(event(result(message.id)))
    })
    const { transport, record } = await opened(server.url)
    transport.send(request(1))
    const { response } = await server.request(() => true)
    await record.next('message')
    transport.pause()
    const before = record.messages.length
    await manyTurns()
    expect(response.writableLength).toBeGreaterThan(1_000_000)
    // What had been read when the pause was asked for is told.
    expect(record.messages.length - before).toBeLessThan(notes / 10)
    transport.resume()
    await record.answer(1)
    expect(record.messages).toHaveLength(notes + 1)
  })

  it('reads nothing of what begins meanwhile, and calls none of it silence', async () => {
    const server = await serve(({ message }, response) => json(response, result(message.id)))
    const { transport, record, clock } = await openedInTime({ url: server.url, idleTimeoutMs: 1_000 })
    transport.pause()
    transport.send(request(1))
    await server.request(() => true)
    await manyTurns()
    clock.advance(5_000)
    expect(record.heard).toEqual([])
    transport.resume()
    await record.answer(1)
  })
})
