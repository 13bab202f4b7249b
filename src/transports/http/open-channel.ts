import { HttpError, type McpError, TransportClosedError } from '../../errors.ts'
import { EventChannel } from './event-channel.ts'
import type { Traffic } from './traffic.ts'

/**
 * Opens the HTTP+SSE wire beside the messages of `traffic`, which from then on are posted where the server says and answered on
 * its stream. `onLost` hears of the end of a stream that was open.
 * @throws HttpError, AuthorizationError when the server does not offer it in time, TransportClosedError when aborted.
 */
export async function openChannel(
  traffic: Traffic,
  signal: AbortSignal,
  onLost: (failure: McpError) => void,
): Promise<EventChannel> {
  const { wire, events } = traffic
  const { address } = wire.endpoint
  let settle = { resolve: () => {}, reject: (_: McpError) => {} }
  const named = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject }
  })
  const channel = new EventChannel(wire, {
    endpoint: (path) => {
      traffic.path = path
      traffic.isAnsweredElsewhere = true
      settle.resolve()
    },
    message: (message, text) => traffic.receive(message, text),
    noise: (sample) => events.noise(sample),
    // Nothing tells whose answer it was; where only one is due, that one's.
    oversize: () => events.oversize(traffic.onlyRequest, wire.maxMessageBytes),
    lost: (failure) => (traffic.isAnsweredElsewhere ? onLost(failure) : settle.reject(failure)),
  })
  const abort = (): void =>
    settle.reject(
      new TransportClosedError(`${address} was left before its stream was open`, { cause: signal.reason }),
    )
  const late = `${address} named no endpoint within ${wire.connectTimeoutMs} ms (connectTimeoutMs)`
  const timer = wire.clock.setTimeout(
    () => settle.reject(new HttpError({ status: 0, reason: late })),
    wire.connectTimeoutMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  if (signal.aborted) abort()
  else channel.open()
  try {
    await named
    return channel
  } catch (error) {
    channel.close()
    throw error
  } finally {
    wire.clock.clearTimeout(timer)
    signal.removeEventListener('abort', abort)
  }
}
