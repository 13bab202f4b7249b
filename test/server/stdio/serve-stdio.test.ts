import { once } from 'node:events'
import { PassThrough } from 'node:stream'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { serveStdio } from '../../../src/server/index.ts'
import { kit } from '../kit.ts'
import { Pipes } from './pipes.ts'

describe('on a pipe', () => {
  it('answers both eras side by side, each message by what it is', async () => {
    const pipes = new Pipes(kit())
    pipes.modern(1, 'tools/call', { name: 'greet', arguments: { name: 'Ada' } })
    pipes.request(2, 'initialize', { protocolVersion: '2025-11-25', capabilities: {} })
    pipes.request('three', 'tools/call', { name: 'greet', arguments: { name: 'Bob' } })
    expect(await pipes.answer(1)).toMatchObject({ result: { resultType: 'complete' } })
    expect(await pipes.answer(2)).toMatchObject({ result: { protocolVersion: '2025-11-25' } })
    expect(await pipes.answer('three')).toEqual({
      jsonrpc: '2.0',
      id: 'three',
      result: { content: [{ type: 'text', text: 'Hello, Bob!' }] },
    })
  })

  it('says what a request asked to hear before its answer', async () => {
    const pipes = new Pipes(kit())
    pipes.modern(1, 'tools/call', { name: 'count', arguments: { to: 2 } }, { progressToken: 'p' })
    await pipes.answer(1)
    expect(pipes.messages.map(({ method, id }) => method ?? id)).toEqual([
      'notifications/progress',
      'notifications/progress',
      1,
    ])
  })

  it('goes on after what it cannot read, and says what was wrong', async () => {
    const pipes = new Pipes(kit(), { maxMessageBytes: 1_000 })
    const faults: readonly (readonly [string, number, unknown])[] = [
      ['nonsense', -32700, undefined],
      ['{"jsonrpc":"2.0",', -32700, undefined],
      ['"text"', -32700, undefined],
      ['[]', -32600, undefined],
      ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, undefined],
      ['{"jsonrpc":"1.0","id":5,"method":"ping"}', -32600, 5],
      ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, undefined],
      ['{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, undefined],
      ['{"jsonrpc":"2.0","id":6,"method":7}', -32600, 6],
      ['{"jsonrpc":"2.0","id":7,"method":"ping","params":[]}', -32600, 7],
      [`{"jsonrpc":"2.0","id":8,"method":"ping","params":{"a":"${'x'.repeat(2_000)}"}}`, -32600, 8],
    ]
    for (const [line] of faults) pipes.write(`${line}\n`)
    pipes.write('\n \r\n')
    pipes.request('last', 'ping')
    await pipes.answer('last')
    const answers = pipes.messages.filter(({ id }) => id !== 'last')
    expect(answers.map(({ error, id }) => [(error as { code: number }).code, id])).toEqual(
      faults.map(([, code, id]) => [code, id]),
    )
  })

  it('reads lines however they are cut, with a mark before them and a CR behind', async () => {
    const pipes = new Pipes(kit())
    const bytes = Buffer.from(`\uFEFF{"jsonrpc":"2.0","id":"ä€","method":"ping"}\r\n`)
    for (const byte of bytes) pipes.input.write(Buffer.of(byte))
    expect(await pipes.answer('ä€')).toMatchObject({ result: {} })
  })

  it('takes batches from clients of 2025-03-26, and from no others', async () => {
    const pipes = new Pipes(kit())
    pipes.request(0, 'initialize', { protocolVersion: '2025-03-26', capabilities: {} })
    await pipes.answer(0)
    const ping = (id: number) => ({ jsonrpc: '2.0', id, method: 'ping' })
    pipes.write([ping(1), { jsonrpc: '2.0', method: 'notifications/initialized' }, ping(2)])
    const batch = await pipes.lines.first((line) => line.startsWith('['))
    expect(JSON.parse(batch)).toEqual([1, 2].map((id) => ({ jsonrpc: '2.0', id, result: {} })))
  })

  it('tells a handler that its caller gave up, and sends nothing more for it', async () => {
    const pipes = new Pipes(kit())
    pipes.modern(1, 'tools/call', { name: 'wait' })
    pipes.write({
      jsonrpc: '2.0',
      method: 'notifications/cancelled',
      params: { requestId: 1, reason: 'enough' },
    })
    pipes.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 99 } })
    pipes.write({ jsonrpc: '2.0', method: 'notifications/cancelled' })
    pipes.request(2, 'ping')
    await pipes.answer(2)
    pipes.input.end()
    await pipes.served
    expect(pipes.messages.map(({ id }) => id)).toEqual([2])
  })

  it('refuses an id that is in use', async () => {
    const pipes = new Pipes(kit())
    pipes.modern(1, 'tools/call', { name: 'wait' })
    pipes.request(1, 'ping')
    expect(await pipes.answer(1)).toMatchObject({ error: { code: -32600 } })
    pipes.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } })
  })

  it('keeps so many requests open, and refuses more', async () => {
    const pipes = new Pipes(kit(), { endGraceMs: 0 })
    for (let id = 0; id < 10_000; id++) pipes.modern(id, 'tools/call', { name: 'wait' })
    pipes.request('more', 'ping')
    expect(await pipes.answer('more')).toMatchObject({ error: { code: -32600 } })
  })

  it('answers what was asked before the client left, also on a line without an end', async () => {
    const pipes = new Pipes(kit())
    pipes.modern(1, 'tools/call', { name: 'greet', arguments: { name: 'Ada' } })
    pipes.write('{"jsonrpc":"2.0","id":2,"method":"ping"}')
    pipes.input.end()
    await pipes.served
    expect(new Set(pipes.messages.map(({ id }) => id))).toEqual(new Set([1, 2]))
  })

  it('aborts what goes on past its grace when the client has left', async () => {
    const pipes = new Pipes(kit(), { endGraceMs: 0 })
    pipes.modern(1, 'tools/call', { name: 'wait' })
    pipes.input.end()
    await pipes.served
    expect(pipes.messages).toEqual([])
  })

  it('ends when it is told to, and when nobody reads any more', async () => {
    const stop = new AbortController()
    const stopped = new Pipes(kit(), { signal: stop.signal })
    stop.abort()
    await stopped.served
    const gone = new Pipes(kit())
    gone.output.destroy(new Error('EPIPE'))
    await gone.served
  })

  it('reads no more while its answers are not read', async () => {
    const output = new PassThrough({ highWaterMark: 1_000 })
    const pipes = new Pipes(kit(), { output })
    const paused = once(pipes.input, 'pause')
    pipes.request(1, 'tools/list')
    await paused
    pipes.request(2, 'ping')
    const resumed = once(pipes.input, 'resume')
    output.resume()
    await resumed
  })

  it('leaves its pipes as they are when it has ended, however late its answers are read', async () => {
    const output = new PassThrough({ highWaterMark: 1_000 })
    const stop = new AbortController()
    const pipes = new Pipes(kit(), { output, signal: stop.signal })
    const paused = once(pipes.input, 'pause')
    pipes.request(1, 'tools/list')
    await paused
    stop.abort()
    await pipes.served
    const drained = once(output, 'drain')
    output.resume()
    await drained
    expect(pipes.input.isPaused()).toBe(true)
  })

  it('serves one client after the other on the same streams, and leaves nothing on them', async () => {
    const [input, output] = [new PassThrough(), new PassThrough()]
    const listeners = () =>
      [input, output].map((stream) => stream.eventNames().map((name) => [name, stream.listenerCount(name)]))
    const serve = async () => {
      const stop = new AbortController()
      const served = serveStdio(kit(), { input, output, signal: stop.signal })
      const answered = once(output, 'data')
      input.write('{"jsonrpc":"2.0","id":1,"method":"ping"}\n')
      expect(String(await answered)).toBe('{"jsonrpc":"2.0","id":1,"result":{}}\n')
      stop.abort()
      await served
      return listeners()
    }
    const first = await serve()
    await serve()
    expect(await serve()).toEqual(first)
  })

  it('outlives any bytes at all', async () => {
    const pipes = new Pipes(kit(), { maxMessageBytes: 10_000 })
    const part = fc.oneof(
      fc.uint8Array({ maxLength: 40 }).map((bytes) => Buffer.from(bytes)),
      fc.json().map((text) => Buffer.from(`${text}\n`)),
      fc
        .record(
          {
            jsonrpc: fc.constant('2.0'),
            id: fc.jsonValue(),
            method: fc.constantFrom('ping', 'tools/call', 'initialize', 'notifications/cancelled'),
            params: fc.jsonValue(),
          },
          { requiredKeys: [] },
        )
        .map((message) => Buffer.from(`${JSON.stringify(message)}\n`)),
    )
    for (const bytes of fc.sample(part, { numRuns: 10_000, seed: 1 })) pipes.input.write(bytes)
    pipes.write('\n')
    pipes.request('still here', 'ping')
    expect(await pipes.answer('still here')).toMatchObject({ result: {} })
  })

  it.each([{ input: 1 }, { endGraceMs: -1 }, { port: 80 }])('refuses the options %o', async (options) => {
    await expect(serveStdio(kit(), options as never)).rejects.toThrow(Object.keys(options)[0])
  })
})
