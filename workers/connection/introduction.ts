import type { HandshakeAnswer, ProbeAnswer } from '../../machines/index.ts'
import type { Clock } from '../../src/clock.ts'
import { initializeParams, judgeHandshake } from '../../src/protocol/handshake.ts'
import { notificationText, stampText } from '../../src/protocol/requests.ts'
import type { Outbound } from '../../src/transports/transport.ts'
import type { Exchanges } from './exchange.ts'
import type { ConnectionOptions } from './options.ts'

export interface IntroductionParts {
  readonly options: ConnectionOptions
  readonly exchanges: Exchanges
  readonly clock: Clock
  readonly send: (message: Outbound) => void
}

/** How the two sides get to know each other: the modern question and the legacy handshake. */
export class Introduction {
  readonly #parts: IntroductionParts

  constructor(parts: IntroductionParts) {
    this.#parts = parts
  }

  /** Rejects only when the wire is gone or the probe was given up. A late answer is dropped. */
  discover(version: string, signal: AbortSignal): Promise<ProbeAnswer> {
    return this.#ask('server/discover', '{}', stampText({ ...this.#parts.options, version }), signal)
  }

  /** Rejects only when the wire is gone; tells the server when both agreed. */
  async initialize(signal: AbortSignal): Promise<HandshakeAnswer> {
    const { options, send } = this.#parts
    const params = JSON.stringify(initializeParams(options.clientInfo, options.clientCapabilities))
    const answer = await this.#ask('initialize', params, '', signal)
    const method = 'notifications/initialized'
    const isAgreed = judgeHandshake(answer.outcome).kind === 'agreed'
    if (isAgreed) send({ kind: 'notification', method, text: notificationText(method, {}) })
    return answer
  }

  async #ask(method: string, params: string, meta: string, signal: AbortSignal): Promise<HandshakeAnswer> {
    const { clock, exchanges } = this.#parts
    const startedAtMs = clock.now()
    const answer = await exchanges.answer(method, params, { meta, signal, tellCancelled: false })
    const afterMs = Math.round(clock.now() - startedAtMs)
    switch (answer.kind) {
      case 'failure':
        throw answer.failure
      case 'error':
        return { outcome: { kind: 'error', error: answer.error }, afterMs }
      case 'result':
        return { outcome: { kind: 'result', result: answer.result }, afterMs }
    }
  }
}
