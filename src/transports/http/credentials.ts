/** What requests show to the server, as the host's desk hands it out. Plain data: it crosses threads. */
export interface Credentials {
  /** Counts the tokens there were; 0 is none. */
  readonly generation: number
  readonly headers: { readonly [name: string]: string }
  /** Until when they may be shown without asking again, in ms since the epoch; 0: once. */
  readonly freshUntilMs: number
}

/** A request that is about to be sent. */
export interface CredentialsRequest {
  readonly method: string
  readonly url: string
  /** The last that the server wants to see in a proof (RFC 9449). */
  readonly nonce?: string
}

/** An answer that wants other credentials. */
export interface Refusal {
  readonly status: 401 | 403
  /** Its `WWW-Authenticate`. */
  readonly challenge: string | undefined
  /** Of the credentials that were shown. */
  readonly generation: number
  /** Whether this wire saw the server take them before. */
  readonly wasAccepted: boolean
}

/** Who knows the tokens of a server: the host, wherever the wire is. */
export interface CredentialsDesk {
  credentials(request: CredentialsRequest): Promise<Credentials>
  /** Resolves when the request may be sent again. @throws AuthorizationError when it need not be */
  refused(refusal: Refusal): Promise<void>
}
