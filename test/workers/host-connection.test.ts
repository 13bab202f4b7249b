import { fileURLToPath } from 'node:url'
import { MessageChannel, threadId } from 'node:worker_threads'
import { expose, wrap } from 'comlink'
import { describe, expect, it } from 'vitest'
import type { Downlink, Uplink } from '../../workers/frames.ts'
import { type ConnectionControl, hostConnection } from '../../workers/host-connection.ts'
import { PortChannel } from '../../workers/port-channel.ts'
import { defaults, mirrored, TestDesk } from './harness.ts'

const echo = fileURLToPath(new URL('../fixtures/servers/echo.mjs', import.meta.url))

/** What a pool's thread does, done here: the same function, over real ports, with a real server. */
function host(options = {}) {
  const data = new MessageChannel()
  const control = new MessageChannel()
  const frames: Uplink[] = []
  let look = () => {}
  const channel = new PortChannel<Downlink, Uplink>(data.port1, (frame) => {
    frames.push(frame)
    look()
  })
  const task = hostConnection({
    options: { ...defaults, ...options },
    transport: { kind: 'stdio', options: { command: process.execPath, args: [echo] } },
    data: data.port2,
    control: control.port2,
  })
  expose(new TestDesk(), control.port1)
  const seen = (isIt: (frame: Uplink) => boolean) =>
    new Promise<Uplink>((resolve) => {
      look = () => {
        const frame = frames.find(isIt)
        if (frame) resolve(frame)
      }
      look()
    })
  const closePorts = () => {
    data.port1.close()
    control.port1.close()
  }
  return { channel, remote: wrap<ConnectionControl>(control.port1), task, frames, seen, data, closePorts }
}

const stateIn = (frame: Uplink) =>
  frame.kind === 'moved' ? frame.value : frame.kind === 'snapshot' ? frame.snapshot.value : undefined
const isReady = (frame: Uplink) => typeof stateIn(frame) === 'object'
const isClosed = (frame: Uplink) => stateIn(frame) === 'closed'

describe('a connection hosted over two ports', () => {
  it('says hello, answers the watchdog, carries calls, and settles when it is closed', async () => {
    const { channel, remote, task, frames, seen, closePorts } = host()
    expect(await remote.hello()).toEqual({ threadId })
    expect(await remote.ping()).toBeUndefined()
    channel.post({
      kind: 'call',
      id: 1,
      method: 'tools/call',
      params: '{"name":"echo","arguments":{"text":"hi"}}',
      subject: 'echo',
      meta: '',
      progress: undefined,
      refresh: false,
      budget: undefined,
    })
    const result = await seen((frame) => frame.kind === 'result' && frame.id === 1)
    expect(JSON.stringify(result)).toContain('hi')
    void remote.close()
    await task
    await seen(isClosed)
    const processFrames = frames
      .map(({ kind }) => kind)
      .filter((kind) => kind === 'spawned' || kind === 'reaped')
    // At once, and again when the connection hears of it.
    expect(processFrames).toEqual(['spawned', 'spawned', 'reaped'])
    closePorts()
  })

  it('ends when its host is gone', async () => {
    const { task, seen, data, closePorts } = host()
    await seen(isReady)
    data.port1.close()
    await task
    closePorts()
  })

  it('says why it failed before it settles', async () => {
    const { task, frames, seen, closePorts } = host({ era: 'legacy', requestTimeoutMs: 1 })
    await seen(isClosed)
    expect(mirrored(frames).context.failure).toMatchObject({ name: 'TimeoutError' })
    await task
    closePorts()
  })
})
