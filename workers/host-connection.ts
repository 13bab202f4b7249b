import { type MessagePort, threadId } from 'node:worker_threads'
import { expose, type Remote, wrap } from 'comlink'
import { systemClock } from '../src/clock.ts'
import type { Transport } from '../src/transports/transport.ts'
import type { ConnectionOptions } from './connection/options.ts'
import { createTransport } from './create-transport.ts'
import type { Downlink, HookDesk, Uplink } from './frames.ts'
import { HeadStart } from './head-start.ts'
import type { TransportSpec } from './link.ts'
import { batchText, PortChannel } from './port-channel.ts'

/** One long-lived task of the pool: a connection and its two ports. */
export interface ConnectionTask {
  readonly options: ConnectionOptions
  readonly transport: TransportSpec
  /** Frames, batched. */
  readonly data: MessagePort
  /** Comlink, both ways: `ConnectionControl` from here, `HookDesk` from the host. */
  readonly control: MessagePort
}

/** What the host may ask of the thread. Narrow on purpose: it is exposed to another thread. */
export interface ConnectionControl {
  /** The ready handshake. */
  hello(): { readonly threadId: number }
  /** For the watchdog: answered by any thread that still turns. */
  ping(): void
  watch(isWatched: boolean): void
  close(): void
}

/** Runs one connection over two ports, in whatever thread this is called; settles when nothing of it is left. */
export async function hostConnection({
  options,
  transport: spec,
  data,
  control,
}: ConnectionTask): Promise<void> {
  // The host closed its end, or is gone.
  const abandoned = new Promise((resolve) => data.once('close', resolve))
  let transport: Transport | undefined
  try {
    const desk = deskOver(control)
    transport = await startTransport(spec, desk, (processGroupId) =>
      data.postMessage(batchText([{ kind: 'spawned', processGroupId }])),
    )
    const { Connection } = await import('./connection/connection.ts')
    const channel = new PortChannel<Uplink, Downlink>(data, (frame) => connection.receive(frame), {
      pace: spec.kind === 'http' ? 'turn' : 'tick',
      flow: { pause: () => connection.pause(), resume: () => connection.resume() },
    })
    const connection = new Connection({
      options,
      transport,
      desk,
      clock: systemClock,
      up: (frame) => channel.post(frame),
    })
    const exposed: ConnectionControl = {
      hello: () => ({ threadId }),
      ping: () => {},
      watch: (isWatched) => connection.watch(isWatched),
      close: () => void connection.close(),
    }
    expose(exposed, control)
    void abandoned.then(() => connection.close())
    await connection.ended
    channel.flush()
  } finally {
    await transport?.close()
    data.close()
    control.close()
  }
}

/** A server starts before the machines are loaded: the one takes as long as the other. */
async function startTransport(
  spec: TransportSpec,
  desk: HookDesk,
  onSpawned: (processGroupId: number) => void,
): Promise<Transport> {
  const transport = await createTransport(spec, desk)
  if (spec.kind === 'http') return transport
  const ahead = new HeadStart(transport, onSpawned)
  await ahead.started
  return ahead
}

/** Wrapped when first asked: wrapping starts the port, and what arrives before `expose` would be lost. */
function deskOver(control: MessagePort): HookDesk {
  let remote: Remote<HookDesk> | undefined
  const desk = () => {
    remote ??= wrap<HookDesk>(control)
    return remote
  }
  return {
    ask: (question) => desk().ask(question),
    withdraw: (questionId) => void desk().withdraw(questionId),
    headers: () => desk().headers(),
    credentials: (request) => desk().credentials(request),
    refused: (refusal) => desk().refused(refusal),
  }
}
