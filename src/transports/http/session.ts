/** What a legacy server knows a client by, between `initialize` and its end. */
export class Session {
  #id: string | undefined
  #protocolVersion: string | undefined

  get id(): string | undefined {
    return this.#id
  }

  /** The last version a message named. */
  get protocolVersion(): string | undefined {
    return this.#protocolVersion
  }

  /** Takes the id an answer to `initialize` came with. False when it is malformed, and then there is none. */
  adopt(id: string | string[] | undefined): boolean {
    const isValid = typeof id === 'string' && visible.test(id)
    this.#id = isValid ? id : undefined
    return isValid || id === undefined
  }

  noteVersion(headers: { readonly [name: string]: string }): void {
    for (const name in headers) if (versionHeader.test(name)) this.#protocolVersion = headers[name]
  }

  drop(): void {
    this.#id = undefined
  }

  /** Names and values of the headers by which a request that holds no message belongs to the session. */
  get headers(): string[] {
    return [
      ...this.idHeader,
      ...(this.#protocolVersion ? ['mcp-protocol-version', this.#protocolVersion] : []),
    ]
  }

  get idHeader(): readonly string[] {
    return this.#id === undefined ? [] : ['mcp-session-id', this.#id]
  }
}

const visible = /^[\x21-\x7e]+$/
const versionHeader = /^mcp-protocol-version$/i
