import { MessageChannel, type MessagePort } from 'node:worker_threads'
import { systemClock } from '../src/clock.ts'
import { TransportClosedError } from '../src/errors.ts'
import type { Downlink, Uplink } from './frames.ts'
import type { ConnectionControl } from './host-connection.ts'
import type { Link, LinkOptions, TransportSpec } from './link.ts'
import { runConnection, terminateThread } from './pool.ts'
import { PortChannel } from './port-channel.ts'
import { Watchdog } from './watchdog.ts'

/** A thread that has not said hello by then never will: its module is missing or throws. */
const readyTimeoutMs = 30_000

const watchdog = new Watchdog({ clock: systemClock, terminate: terminateThread })

/** Hosts a connection in a thread of the pool. */
export async function openThreadLink(
  transport: TransportSpec,
  { options, desk, receive }: LinkOptions,
): Promise<Link> {
  const data = new MessageChannel()
  const control = new MessageChannel()
  const closed = new Promise<void>((resolve) => {
    data.port1.once('close', resolve)
  })
  const channel = new PortChannel<Downlink, Uplink>(data.port1, receive)
  // Cannot be, since frames are JSON of a bounded depth; if it is, it must not be a call that hangs without a word.
  data.port1.on('messageerror', ({ message }) =>
    receive({ kind: 'warning', message: `a message of the connection's thread was lost: ${message}` }),
  )
  // The thread starts while comlink is still being loaded here.
  const task = runConnection({ options, transport, data: data.port2, control: control.port2 })
  const over = settled(task, closed, data.port2)
  // The thread may die while comlink is being loaded, before anybody waits.
  over.catch(() => {})
  const { expose, wrap } = await import('comlink')
  expose(desk, control.port1)
  const remote = wrap<ConnectionControl>(control.port1)
  const hello = remote.hello()
  const ended = Promise.race([over, neverReady(hello, over)])
  const watch = hello.then(({ threadId }) => watchdog.watch(threadId, () => remote.ping()))
  const release = () => {
    // A call that a dead thread left open never settles, so nothing may wait for these.
    void watch.then((unwatch) => unwatch())
    control.port1.close()
    data.port1.close()
  }
  ended.then(release, release)
  return {
    post: (frame) => channel.post(frame),
    watch: (isWatched) => void remote.watch(isWatched),
    close: () => {
      void remote.close()
      return ended.catch(() => {})
    },
    ended,
  }
}

/** Down means settled and closed: the last frames may still be on their way when the task settles. */
async function settled(task: Promise<void>, closed: Promise<void>, far: MessagePort): Promise<void> {
  try {
    await task
  } finally {
    // Still here if no thread took it.
    far.close()
    await closed
  }
}

/** Rejects when the thread does not get ready; settles no other way. */
function neverReady(hello: Promise<unknown>, over: Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    const timer = systemClock.setTimeout(
      () => reject(new TransportClosedError(`The worker thread was not ready within ${readyTimeoutMs} ms`)),
      readyTimeoutMs,
    )
    const clear = () => systemClock.clearTimeout(timer)
    hello.then(clear, clear)
    over.then(clear, clear)
  })
}
