import type { HandshakeAnswer, ProbeAnswer } from '../../machines/index.ts'
import type { Clock } from '../../src/clock.ts'
import { initializeParams, judgeHandshake } from '../../src/protocol/handshake.ts'
import { isEraSignal } from '../../src/protocol/probe.ts'
import { notificationText, stampText } from '../../src/protocol/requests.ts'
import type { Outbound } from '../../src/transports/transport.ts'
import type { Address } from './correlator.ts'
import type { ExchangeOptions, Exchanges } from './exchange.ts'
import { httpStatusOf } from './http-status.ts'
import type { ConnectionOptions } from './options.ts'

export interface IntroductionParts {
  readonly options: ConnectionOptions
  readonly exchanges: Exchanges
  readonly clock: Clock
  readonly send: (message: Outbound, address: Address) => void
}

/** How the two sides get to know each other: the modern question and the legacy handshake. */
export class Introduction {
  readonly #parts: IntroductionParts

  constructor(parts: IntroductionParts) {
    this.#parts = parts
  }

  /** Rejects only when the wire is gone or the probe was given up. A late answer is dropped. */
  discover(version: string, signal: AbortSignal): Promise<ProbeAnswer> {
    const meta = stampText({ ...this.#parts.options, version })
    return this.#ask('server/discover', '{}', { meta, signal, address: { version } })
  }

  /** Rejects only when the wire is gone; tells the server when both agreed. */
  async initialize(signal: AbortSignal): Promise<HandshakeAnswer> {
    const { options, send } = this.#parts
    const params = JSON.stringify(initializeParams(options.clientInfo, options.clientCapabilities))
    const answer = await this.#ask('initialize', params, { signal })
    const method = 'notifications/initialized'
    const verdict = judgeHandshake(answer.outcome)
    if (verdict.kind === 'agreed') {
      send({ kind: 'notification', method, text: notificationText(method, {}) }, { version: verdict.version })
    }
    return answer
  }

  async #ask(method: string, params: string, options: ExchangeOptions): Promise<HandshakeAnswer> {
    const { clock, exchanges } = this.#parts
    const startedAtMs = clock.now()
    const answer = await exchanges.answer(method, params, { ...options, tellCancelled: false })
    const afterMs = Math.round(clock.now() - startedAtMs)
    switch (answer.kind) {
      case 'failure': {
        const { failure } = answer
        const status = httpStatusOf(failure)
        if (status === undefined || !isEraSignal(status)) throw failure
        return { outcome: { kind: 'http', status }, afterMs }
      }
      case 'error':
        return { outcome: { kind: 'error', error: answer.error }, afterMs }
      case 'result':
        return { outcome: { kind: 'result', result: answer.result }, afterMs }
    }
  }
}
