import type { Identity } from './authorization/identify.ts'
import { whenExpired } from './authorization/when-expired.ts'
import type { KeepAlives, Quiet } from './keep-alives.ts'
import type { Journal } from './legacy/journal.ts'
import type { HttpHeaders, HttpResponse } from './wire.ts'

type State =
  | 'undecided'
  | 'streaming'
  /** The connection is gone, and its client may come back for the rest. */
  | 'detached'
  | 'over'

/**
 * The answer to one request, as JSON or as a stream of events: which of them is decided by what comes first, the answer or something
 * before it. A request that stays quiet costs no stream. With a journal, a stream outlives its connection.
 */
export class AnswerStream implements Quiet {
  readonly takesEvents: boolean
  readonly journal: Journal | undefined
  readonly #keepAlives: KeepAlives
  #response: HttpResponse
  #state: State = 'undecided'
  #forgetExpiry: () => void = nothing

  constructor(response: HttpResponse, takesEvents: boolean, keepAlives: KeepAlives, journal?: Journal) {
    this.#response = response
    this.takesEvents = takesEvents
    this.journal = journal
    this.#keepAlives = keepAlives
    if (takesEvents) keepAlives.watch(this)
  }

  get isOver(): boolean {
    return this.#state === 'over'
  }

  get isConnected(): boolean {
    return this.#state === 'undecided' || this.#state === 'streaming'
  }

  /** Something that comes before the answer; dropped where the client takes no events, or does not read them. */
  notify(text: string): void {
    if (this.takesEvents && !(this.isConnected && this.#response.isCrowded)) this.send(text)
  }

  /** The same, but never dropped for want of room. False when nobody will ever read it. */
  send(text: string): boolean {
    if (this.#state === 'over') return false
    this.begin()
    const event = this.#eventOf(text)
    if (this.#state === 'streaming') this.#response.write(event)
    return true
  }

  /** Decides for a stream. */
  begin(): void {
    if (this.#state !== 'undecided') return
    this.#state = 'streaming'
    this.#response.begin(200, events)
    if (this.journal) this.#response.write(this.journal.open())
  }

  /** The last thing there is. */
  answer(status: number, text: string, headers?: HttpHeaders): void {
    const state = this.#state
    if (state === 'undecided') {
      this.#finish()
      return this.#response.answer(status, headers ? { ...json, ...headers } : json, text)
    }
    if (state === 'over') return
    const event = this.#eventOf(text)
    this.#finish()
    if (state === 'streaming') this.#response.end(event)
  }

  /** Ends without an answer: none is due. */
  cut(): void {
    if (this.#state === 'over') return
    this.begin()
    const isConnected = this.#state === 'streaming'
    this.#finish()
    if (isConnected) this.#response.end()
  }

  /** The same, of what was heard and never to be answered. */
  accept(): void {
    if (this.#state !== 'undecided') return this.cut()
    this.#finish()
    this.#response.answer(202, {})
  }

  /** Lets the connection go, where its client knows to come back. */
  disconnect(): void {
    if (this.takesEvents && this.journal?.isPolled) this.drop()
  }

  /** Ends the connection, and the stream with it where nobody could come back. */
  drop(): void {
    if (!this.isConnected) return
    this.begin()
    if (!this.journal?.isKnown) return this.cut()
    this.#detach()
    this.#response.end()
  }

  /** Goes on with another connection, on which what was missed has been said. */
  attach(response: HttpResponse): void {
    if (this.#state === 'streaming') this.#response.end()
    this.#detach()
    this.#state = 'streaming'
    this.#response = response
    this.#keepAlives.watch(this)
  }

  /** Drops the connection when the token of its reader has expired. */
  dropWith(identity: Identity | undefined): void {
    this.#forgetExpiry()
    this.#forgetExpiry = whenExpired(identity, () => this.drop())
  }

  /** Nobody reads that connection any more. */
  leave(response: HttpResponse = this.#response): void {
    if (response !== this.#response || !this.isConnected) return
    if (this.journal?.isKnown) this.#detach()
    else this.#finish()
  }

  /** A stream that has nothing to say yet says that. */
  stillHere(): void {
    this.begin()
    if (!this.#response.isCrowded) this.#response.write(': still here\n\n')
  }

  #eventOf(text: string): string {
    return this.journal ? this.journal.note(text) : `data: ${text}\n\n`
  }

  #detach(): void {
    this.#state = 'detached'
    this.#rest()
  }

  #finish(): void {
    this.#state = 'over'
    this.#rest()
  }

  #rest(): void {
    this.#keepAlives.forget(this)
    this.#forgetExpiry()
  }
}

const nothing = () => {}

export const json: HttpHeaders = { 'content-type': 'application/json', 'cache-control': 'no-store' }
export const events: HttpHeaders = {
  'content-type': 'text/event-stream',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
}
