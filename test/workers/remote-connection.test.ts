import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, expect, it } from 'vitest'
import { initialContext } from '../../machines/connection-facts.ts'
import { toErrorData } from '../../src/error-data.ts'
import { CancelledError, InternalError, ServerGoneError, TransportClosedError } from '../../src/errors.ts'
import type { Downlink, Uplink } from '../../workers/frames.ts'
import type { Link } from '../../workers/link.ts'
import { RemoteConnection, type Request } from '../../workers/remote-connection.ts'
import { deferred } from '../model/deferred.ts'
import { defaults } from './harness.ts'

const initial = { value: 'idle', context: initialContext(defaults) } as const
const gone = new ServerGoneError({ command: 's', exitCode: 1, signal: null, stderrTail: [] })
const setLevel = (id: number): Request => ({ kind: 'setLevel', id, level: 'debug' })

/** The host's end, and a link that does what the test says. */
function remoteOf() {
  const link = deferred<Link>()
  const ended = deferred<void>()
  const posted: Downlink[] = []
  const heard: unknown[] = []
  let receive: (frame: Uplink) => void = () => {}
  const listeners = {
    snapshot: ({ value }: { readonly value: unknown }) => heard.push(value),
    notification: ({ method }: { readonly method: string }) => heard.push(method),
    toolsChanged: () => heard.push('toolsChanged'),
    warning: (message: string) => heard.push(message),
    stderr: (line: string) => heard.push(line),
    trace: ({ text }: { readonly text: string }) => heard.push(text),
    sight: (sight: unknown) => heard.push(sight),
  }
  const remote = new RemoteConnection(initial, listeners, (hear) => {
    receive = hear
    return link.promise
  })
  let closes = 0
  const attach = async () => {
    const close = async () => {
      closes += 1
      ended.resolve()
    }
    const watch = (isWatched: boolean) => heard.push(isWatched ? 'watched' : 'unwatched')
    link.resolve({ post: (frame) => posted.push(frame), watch, close, ended: ended.promise })
    await link.promise
  }
  return {
    remote,
    posted,
    heard,
    attach,
    link,
    ended,
    up: (frame: Uplink) => receive(frame),
    closes: () => closes,
  }
}

describe('the host’s end of a connection', () => {
  it('keeps what is asked until the link stands, in order', async () => {
    const { remote, posted, attach } = remoteOf()
    const ids = [remote.nextId(), remote.nextId()]
    for (const id of ids) remote.request(setLevel(id)).catch(() => {})
    remote.cancel(2)
    expect(posted).toEqual([])
    await attach()
    expect(posted).toEqual([setLevel(1), setLevel(2), { kind: 'cancel', id: 2 }])
  })

  it('gives each request its own answer, and drops what nobody waits for', async () => {
    const { remote, attach, up } = remoteOf()
    await attach()
    const [first, second] = [remote.request(setLevel(1)), remote.request(setLevel(2))]
    up({ kind: 'result', id: 2, result: 'b', size: 0 })
    up({ kind: 'failure', id: 1, error: toErrorData(gone) })
    up({ kind: 'result', id: 1, result: 'late', size: 0 })
    await expect(first).rejects.toMatchObject({ constructor: ServerGoneError, exitCode: 1 })
    expect(await second).toBe('b')
  })

  it('hands progress, notes and reports to whom they concern', async () => {
    const { remote, heard, attach, up } = remoteOf()
    await attach()
    const progress: unknown[] = []
    const notes: unknown[] = []
    const call = remote.request(setLevel(1), { onProgress: (report) => progress.push(report) })
    const listening = remote.request(setLevel(2), {
      subscription: { next: ({ method }) => notes.push(method), end: (failure) => notes.push(failure?.name) },
    })
    up({ kind: 'progress', id: 1, report: { progress: 1 } })
    up({ kind: 'result', id: 2, result: {}, size: 0 })
    up({ kind: 'subscribed', id: 2, notification: { method: 'mine', params: {} } })
    up({ kind: 'unsubscribed', id: 2, error: undefined })
    up({ kind: 'subscribed', id: 2, notification: { method: 'late', params: {} } })
    up({ kind: 'notification', notification: { method: 'all', params: {} } })
    up({ kind: 'warning', message: 'warned' })
    up({ kind: 'stderr', line: 'line' })
    up({ kind: 'trace', trace: { direction: 'sent', atMs: 0, text: 'traced' } })
    up({ kind: 'result', id: 1, result: {}, size: 0 })
    up({ kind: 'progress', id: 1, report: { progress: 2 } })
    await Promise.all([call, listening])
    expect([progress, notes, heard]).toEqual([
      [{ progress: 1 }],
      ['mine', undefined],
      ['all', 'warned', 'line', 'traced'],
    ])
  })

  it('mirrors the machine, also where only its counters moved', async () => {
    const { remote, heard, attach, up } = remoteOf()
    await attach()
    up({ kind: 'snapshot', snapshot: { value: 'probing', context: { ...initial.context, era: 'modern' } } })
    const counters = { waiting: 2, stream: 'open', sessionLosses: 1 } as const
    up({ kind: 'moved', value: { modern: 'inputRequired' }, counters })
    expect(remote.snapshot).toMatchObject({
      value: { modern: 'inputRequired' },
      context: { era: 'modern', ...counters },
    })
    expect(heard).toEqual(['probing', { modern: 'inputRequired' }])
  })

  it('takes back what is aborted, with the reason', async () => {
    const { remote, posted, attach } = remoteOf()
    await attach()
    const abort = new AbortController()
    const call = remote.request(setLevel(1), { signal: abort.signal })
    abort.abort('enough')
    await expect(call).rejects.toMatchObject({
      constructor: CancelledError,
      method: 'setLevel',
      cause: 'enough',
    })
    await expect(remote.request(setLevel(2), { signal: abort.signal })).rejects.toBeInstanceOf(CancelledError)
    expect(posted).toEqual([setLevel(1), { kind: 'cancel', id: 1 }])
  })

  it('fails everything when it is closed, once, also before the link stands', async () => {
    const { remote, attach, closes } = remoteOf()
    const call = remote.request(setLevel(1))
    const closing = Promise.all([remote.close(), remote.close()])
    await expect(call).rejects.toBeInstanceOf(TransportClosedError)
    await expect(remote.request(setLevel(2))).rejects.toBeInstanceOf(TransportClosedError)
    await attach()
    await closing
    expect(closes()).toBeGreaterThan(0)
    expect(remote.snapshot.value).toBe('closed')
  })

  it('is over, with the reason, when the link cannot be made', async () => {
    const { remote, link, heard } = remoteOf()
    const call = remote.request(setLevel(1))
    link.reject(new Error('no module'))
    await expect(call).rejects.toMatchObject({ constructor: InternalError, message: 'no module' })
    await remote.ended
    expect(heard).toEqual(['closed'])
    expect(remote.snapshot.context.failure).toMatchObject({ name: 'InternalError' })
  })

  it('is over, with the reason the machine gave, when the link ends', async () => {
    const { remote, attach, ended, up } = remoteOf()
    await attach()
    const call = remote.request(setLevel(1))
    up({
      kind: 'snapshot',
      snapshot: { value: 'closed', context: { ...initial.context, failure: toErrorData(gone) } },
    })
    ended.resolve()
    await expect(call).rejects.toBeInstanceOf(ServerGoneError)
    await remote.ended
    expect(remote.failure).toBeInstanceOf(ServerGoneError)
  })

  it('kills the servers of a thread that died under it', async () => {
    const { remote, attach, ended, up } = remoteOf()
    const server = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], {
      detached: true,
      stdio: 'ignore',
    })
    const exit = once(server, 'exit')
    await attach()
    up({ kind: 'spawned', processGroupId: server.pid ?? 0 })
    expect(remote.processGroupId).toBe(server.pid)
    ended.reject(new TransportClosedError('The worker thread of this connection died'))
    expect(await exit).toEqual([null, 'SIGKILL'])
    await remote.ended
    expect(remote.failure?.message).toBe('The worker thread of this connection died')
    expect(remote.processGroupId).toBeUndefined()
  })
})
