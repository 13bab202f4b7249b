import type { MessagePort } from 'node:worker_threads'
import { toErrorData } from '../src/error-data.ts'
import { InvalidResultError } from '../src/errors.ts'
import { Credit, type Flow } from './credit.ts'
import type { CallId, Downlink, Uplink } from './frames.ts'
import { Intake } from './intake.ts'
import { type PackedResult, pack, packFromChars, unpack } from './payload.ts'

/**
 * What one `postMessage` carries: every small frame of a turn, or one large result alone. A batch crosses as JSON text: frames are
 * JSON anyway, and one parse of many costs the host half of what cloning them does.
 */
type Parcel = string | PackedResult

/** A number acknowledges that many characters of parcels. */
type Message = Parcel | number

/** A small frame never waits for more than this many others. */
const maxBatch = 256

export interface PortChannelOptions {
  /**
   * A wire that brings many messages in one callback fills a batch by itself, so it leaves with the tick (default). Where each
   * message has a callback of its own, as over HTTP, the first leaves with the tick and the others with the turn.
   */
  readonly pace?: 'tick' | 'turn'
  /** Asked to pause while the other end is behind; default: what is posted here has no end that it could be asked of. */
  readonly flow?: Flow
}

/**
 * One end of the data plane. All frames posted in one turn of the event loop cross in one batch; a large result goes alone, so
 * that it stalls no other. Order is kept.
 */
export class PortChannel<Out extends Downlink | Uplink, In extends Downlink | Uplink> {
  readonly #port: MessagePort
  readonly #pace: 'tick' | 'turn'
  readonly #credit: Credit | undefined
  #batch: Out[] = []
  #turn: 'over' | 'open' = 'over'

  constructor(
    port: MessagePort,
    receive: (frame: In) => void,
    { pace = 'tick', flow }: PortChannelOptions = {},
  ) {
    this.#port = port
    this.#pace = pace
    this.#credit = flow && new Credit(flow)
    const intake = new Intake<Parcel>({
      deliver: (parcel) => deliver(parcel, receive),
      charsOf: (parcel) => (typeof parcel === 'string' ? parcel.length : 0),
      acknowledge: (chars) => port.postMessage(chars),
    })
    port.on('message', (message: Message) => {
      if (typeof message === 'number') this.#credit?.acknowledged(message)
      else intake.take(message)
    })
    port.on('close', () => intake.end())
  }

  post(frame: Out): void {
    if (frame.kind === 'result' && frame.size > packFromChars) return this.#postAlone(frame.id, frame.result)
    if (this.#batch.push(frame) === 1) this.#schedule()
    else if (this.#batch.length >= maxBatch) this.flush()
  }

  /** Sends what this turn has collected, now. */
  flush(): void {
    if (this.#batch.length === 0) return
    const batch = this.#batch
    this.#batch = []
    const text = batchText(batch)
    this.#port.postMessage(text)
    this.#credit?.spend(text.length)
  }

  #schedule(): void {
    if (this.#turn === 'open') return
    process.nextTick(() => this.flush())
    if (this.#pace === 'tick') return
    this.#turn = 'open'
    setImmediate(() => {
      this.#turn = 'over'
      this.flush()
    })
  }

  #postAlone(id: number, result: unknown): void {
    this.flush()
    try {
      const { frame, transfer } = pack(id, result)
      this.#port.postMessage(frame, transfer)
    } catch (error) {
      this.#port.postMessage(JSON.stringify([unsendable(id, error)]))
    }
  }
}

/** Frames as they cross. A frame that cannot be written, since its server nested it deeper than a stack, costs no other frame. */
export function batchText(batch: readonly (Downlink | Uplink)[]): string {
  try {
    return JSON.stringify(batch)
  } catch {
    return `[${batch.map(frameText).join(',')}]`
  }
}

function frameText(frame: Downlink | Uplink): string {
  try {
    return JSON.stringify(frame)
  } catch (error) {
    return JSON.stringify('id' in frame ? unsendable(frame.id, error) : dropped(frame))
  }
}

function unsendable(id: CallId, cause: unknown): Uplink {
  const reason = 'it is nested too deeply to be handed over'
  return {
    kind: 'failure',
    id,
    error: toErrorData(new InvalidResultError({ method: 'the call', reason }, { cause })),
  }
}

function dropped({ kind }: { readonly kind: string }): Uplink {
  return { kind: 'warning', message: `a ${kind} nested too deeply was dropped` }
}

/** Both ends are ours and of one build: what arrives is what the other end posted. */
function deliver<In extends Downlink | Uplink>(parcel: Parcel, receive: (frame: In) => void): void {
  if (typeof parcel !== 'string')
    return receive({ kind: 'result', id: parcel.id, result: unpack(parcel), size: 0 } as In)
  for (const frame of JSON.parse(parcel) as readonly In[]) receive(frame)
}
