import { TransportClosedError } from '../../errors.ts'
import { secretsOf } from '../secrets-of.ts'
import type { Outbound, Transport, TransportEvents } from '../transport.ts'
import { MessageWriter } from './message-writer.ts'
import { serveUntilEnd } from './serve-until-end.ts'
import type { StdioOptions } from './stdio-options.ts'
import { describeTarget } from './target.ts'
import { Valve } from './valve.ts'

export type { StdioOptions } from './stdio-options.ts'

/**
 * A server as a child process: messages are lines of its stdin and stdout. It leads a process group of its own, and the
 * whole group ends with it.
 */
export class StdioTransport implements Transport {
  /** Command and arguments, cut to 120 characters; what looks like a secret is masked. */
  readonly target: string
  readonly secrets: readonly string[]
  readonly #options: StdioOptions
  readonly #closing = new AbortController()
  #isOpened = false
  #writer: MessageWriter | undefined
  #stdout: Valve | undefined
  #onUnread: (sample: string) => void = () => {}
  #ended: Promise<void> | undefined

  constructor(options: StdioOptions) {
    this.#options = options
    this.target = describeTarget(options.command, options.args)
    this.secrets = secretsOf(options)
  }

  /**
   * Starts the process. A failed attempt is reported by the rejection alone, never by `closed`.
   * @throws SpawnFailedError, whose message says what to change; TransportClosedError when aborted, closed or opened twice.
   */
  async open(events: TransportEvents, signal: AbortSignal): Promise<void> {
    if (this.#isOpened)
      throw new TransportClosedError(`${this.target} was opened before; a transport is opened once`)
    this.#isOpened = true
    // Not before it is needed: this import alone takes longer than the start of a process.
    const { spawnServer } = await import('./spawn.ts')
    if (signal.aborted || this.#closing.signal.aborted) {
      throw new TransportClosedError(`${this.target} was closed before it started`, { cause: signal.reason })
    }
    const server = spawnServer(this.#options, this.target)
    if (server instanceof Promise) throw await server
    // From here to the end nothing is awaited: an abort cannot come in between.
    const { killGraceMs = 2000, stderrLines = 50, maxMessageBytes = 64 * 1024 * 1024 } = this.#options
    const writer = new MessageWriter(server.stdin)
    this.#writer = writer
    this.#onUnread = (sample) => events.noise(sample)
    const stdout = new Valve(server.stdout)
    this.#stdout = stdout
    const served = { server, writer, stdout, target: this.target, killGraceMs, stderrLines, maxMessageBytes }
    this.#ended = serveUntilEnd(served, events, this.#closing.signal)
  }

  send(message: Outbound): void {
    if (message.kind !== 'response') this.#writer?.send(message.text)
    else if (this.#writer?.answer(message.text) === false)
      this.#onUnread(
        `the answer to request ${String(message.id).slice(0, 100)} was not sent: the server reads none`,
      )
  }

  pause(): void {
    this.#stdout?.pause()
  }

  resume(): void {
    this.#stdout?.resume()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    await this.#ended
  }
}
