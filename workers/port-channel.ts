import type { MessagePort } from 'node:worker_threads'
import type { Downlink, Uplink } from './frames.ts'
import { type PackedResult, pack, packFromChars, unpack } from './payload.ts'

/**
 * What one `postMessage` carries: every small frame of a turn, or one large result alone. A batch crosses as JSON text: frames are
 * JSON anyway, and one parse of many costs the host half of what cloning them does.
 */
type Parcel = string | PackedResult

/** A small frame never waits for more than this many others. */
const maxBatch = 256

/**
 * One end of the data plane. All frames posted in one turn of the event loop cross in one batch; a large result goes alone, so
 * that it stalls no other. Order is kept.
 */
export class PortChannel<Out extends Downlink | Uplink, In extends Downlink | Uplink> {
  readonly #port: MessagePort
  #batch: Out[] = []

  constructor(port: MessagePort, receive: (frame: In) => void) {
    this.#port = port
    port.on('message', (parcel: Parcel) => deliver(parcel, receive))
  }

  post(frame: Out): void {
    if (frame.kind === 'result' && frame.size > packFromChars) return this.#postAlone(frame.id, frame.result)
    if (this.#batch.push(frame) === 1) process.nextTick(() => this.flush())
    else if (this.#batch.length >= maxBatch) this.flush()
  }

  /** Sends what this turn has collected, now. */
  flush(): void {
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    this.#port.postMessage(JSON.stringify(batch))
  }

  #postAlone(id: number, result: unknown): void {
    this.flush()
    const { frame, transfer } = pack(id, result)
    this.#port.postMessage(frame, transfer)
  }
}

/** Both ends are ours and of one build: what arrives is what the other end posted. */
function deliver<In extends Downlink | Uplink>(parcel: Parcel, receive: (frame: In) => void): void {
  if (typeof parcel !== 'string')
    return receive({ kind: 'result', id: parcel.id, result: unpack(parcel), size: 0 } as In)
  for (const frame of JSON.parse(parcel) as readonly In[]) receive(frame)
}
