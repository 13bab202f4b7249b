import { HttpError, type McpError } from '../../errors.ts'
import type { RequestId } from '../../protocol/json-rpc.ts'
import type { Outbound, TransportEvents } from '../transport.ts'
import { answeredIds, type Message, sampleOf } from './parse-message.ts'
import { Post } from './post.ts'
import { Session } from './session.ts'
import type { Wire } from './wire.ts'

/** All messages under way, and what is told of them. */
export class Traffic {
  readonly wire: Wire
  readonly events: TransportEvents
  readonly session = new Session()
  /** Where messages are posted. */
  path: string
  /** Whether answers come on a stream of the server's, not in the response to a POST. */
  isAnsweredElsewhere = false
  readonly #posts = new Set<Post>()
  readonly #requests = new Map<RequestId, Post>()
  /** Answers to the server. */
  readonly #answers = new Set<Post>()
  readonly #onSessionLost: (failure: McpError) => void

  constructor(wire: Wire, events: TransportEvents, onSessionLost: (failure: McpError) => void) {
    this.wire = wire
    this.events = events
    this.path = wire.endpoint.path
    this.#onSessionLost = onSessionLost
  }

  send(message: Outbound, onSettled?: (isAccepted: boolean) => void): void {
    if (message.headers) this.session.noteVersion(message.headers)
    if (message.kind === 'response' && this.#answers.size >= maxAnswers) return this.#drop(message)
    const post = new Post(this, message, onSettled)
    this.#posts.add(post)
    if (post.id !== undefined) this.#requests.set(post.id, post)
    if (message.kind === 'response') this.#answers.add(post)
    post.start()
  }

  /** A message came, on whichever stream. */
  receive(message: Message, text: string): void {
    for (const id of answeredIds(message)) this.#requests.get(id)?.answered()
    this.events.message(message, text)
  }

  abandon(id: RequestId): void {
    this.#requests.get(id)?.abandon()
  }

  /** The only request under way. */
  get onlyRequest(): RequestId | undefined {
    const [first, second] = this.#requests.keys()
    return second === undefined ? first : undefined
  }

  adoptSession(id: string | string[] | undefined): void {
    if (!this.session.adopt(id)) this.events.noise(sampleOf(`a malformed Mcp-Session-Id: ${id}`))
  }

  /** The server does not know that session any more. Told once: the id is dropped with it. */
  loseSession(id: string | undefined, failure: McpError): void {
    if (id === undefined || id !== this.session.id) return
    this.session.drop()
    this.#onSessionLost(failure)
  }

  undelivered(message: Outbound, reason: McpError, wasRefused: boolean): void {
    const failure = this.wire.authorization?.hidden(reason) ?? reason
    if (message.kind === 'request') this.events.failed?.(message.id, failure, wasRefused)
    else {
      const what = message.kind === 'notification' ? message.method : `the answer to request ${message.id}`
      this.events.noise(sampleOf(`${what} was not delivered: ${failure.message}`))
    }
  }

  /** The stream on which all answers would come is gone. */
  failAll(failure: McpError): void {
    const ids = [...this.#requests.keys()]
    this.stop()
    for (const id of ids) this.events.failed?.(id, failure, false)
  }

  forget(post: Post): void {
    this.#posts.delete(post)
    this.#answers.delete(post)
    if (post.id !== undefined && this.#requests.get(post.id) === post) this.#requests.delete(post.id)
  }

  /** Ends everything under way without a word. */
  stop(): void {
    for (const post of this.#posts) post.abandon()
  }

  #drop(answer: Outbound): void {
    const reason = `${this.wire.endpoint.address} asks, but takes no answers: ${maxAnswers} wait already`
    this.undelivered(answer, new HttpError({ status: 0, reason }), true)
  }
}

/** A server may ask without end. */
const maxAnswers = 1024
