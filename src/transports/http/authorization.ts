import { fromErrorData, toErrorData } from '../../error-data.ts'
import type { McpError } from '../../errors.ts'
import { hideInError } from '../../hide-in-error.ts'
import { redactor, withWords } from '../../redactor.ts'
import type { Credentials, CredentialsDesk } from './credentials.ts'
import type { Endpoint } from './endpoint.ts'
import type { HttpRequest, ResponseHeaders } from './wire.ts'

/** What a response wants of the one who asked: other credentials, credentials for more, or a nonce in their proof. */
export type Want = 'credentials' | 'scope' | 'nonce'

/** What the requests of one transport show to the server: kept while it is fresh, asked for at the desk when it is not. */
export class Authorization {
  readonly #desk: CredentialsDesk
  readonly #endpoint: Endpoint
  readonly #onWaiting: (isWaiting: boolean) => void
  #known: Credentials | undefined
  #shown: Credentials | undefined
  #nonce: string | undefined
  #acceptedGeneration = 0
  #asking = 0

  /** `onWaiting` hears when the desk has the ball, and when nobody waits for it any more. */
  constructor(desk: CredentialsDesk, endpoint: Endpoint, onWaiting: (isWaiting: boolean) => void) {
    this.#desk = desk
    this.#endpoint = endpoint
    this.#onWaiting = onWaiting
  }

  /** A promise only where the desk is asked. */
  before(method: HttpRequest['method'], path: string): Credentials | Promise<Credentials> {
    if (!this.#known || Date.now() >= this.#known.freshUntilMs)
      return this.#ask(method, this.#endpoint.origin + path)
    this.#shown = this.#known
    return this.#known
  }

  /** A failure without what was shown last: the server may have repeated it. */
  hidden(failure: McpError): McpError {
    const hide = redactor(withWords(this.#shown?.headers))
    return fromErrorData(hideInError(toErrorData(failure), hide))
  }

  /** What that response wants before the request is sent again; undefined when it is an answer. */
  wantOf(status: number, headers: ResponseHeaders, shown: Credentials | undefined): Want | undefined {
    const nonce = headers['dpop-nonce']
    if (typeof nonce === 'string') this.#nonce = nonce
    if (status === 401) return challengeOf(headers)?.match(wantsNonce) && nonce ? 'nonce' : 'credentials'
    if (status === 403) return challengeOf(headers)?.match(wantsScope) ? 'scope' : undefined
    if (status < 400 && shown) this.#acceptedGeneration = shown.generation
    return undefined
  }

  /** Resolves when the request may be sent again. Rejects with why it need not be. */
  async refused(want: Want, headers: ResponseHeaders, { generation }: Credentials): Promise<void> {
    if (want === 'nonce') return
    const status = want === 'scope' ? 403 : 401
    const wasAccepted = generation > 0 && generation === this.#acceptedGeneration
    await this.#waitFor(
      this.#desk.refused({ status, challenge: challengeOf(headers), generation, wasAccepted }),
    )
    if (this.#known?.generation === generation) this.#known = undefined
  }

  async #ask(method: string, url: string): Promise<Credentials> {
    const nonce = this.#nonce
    const given = await this.#waitFor(
      this.#desk.credentials({ method, url, ...(nonce !== undefined && { nonce }) }),
    )
    this.#shown = given
    if (given.freshUntilMs > 0 && given.generation >= (this.#known?.generation ?? 0)) this.#known = given
    return given
  }

  async #waitFor<Value>(answer: Promise<Value>): Promise<Value> {
    this.#asking += 1
    if (this.#asking === 1) this.#onWaiting(true)
    try {
      return await answer
    } finally {
      this.#asking -= 1
      if (this.#asking === 0) this.#onWaiting(false)
    }
  }
}

function challengeOf(headers: ResponseHeaders): string | undefined {
  return (
    [headers['www-authenticate']]
      .flat()
      .filter((header) => header !== undefined)
      .join(', ') || undefined
  )
}

const wantsNonce = /\berror\s*=\s*"?use_dpop_nonce\b/i
const wantsScope = /\berror\s*=\s*"?insufficient_scope\b/i
