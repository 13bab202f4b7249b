import type { ChildEvent } from '../../bridge/provider.ts'
import { type Config, prefixOf } from '../../config/config.ts'
import type { ErrorData } from '../../error-data.ts'
import type { ProviderStatus } from '../../providers/registry/status.ts'
import { redactor } from '../../redactor.ts'
import { takesTokens } from '../auth/stored-auth.ts'
import { quoted } from '../command-line.ts'
import type { Invocation } from '../invocation.ts'
import { styleFor } from '../text/style.ts'
import type { ServerRow, UpEvent, View } from './event.ts'
import { jsonLines } from './json-lines.ts'
import { liveTable } from './live-table.ts'
import { plainLines } from './plain-lines.ts'

/** Tells what happens to the servers of a registry, by the names they are configured under and without their secrets. */
export class Reporter {
  readonly #io: Invocation['io']
  readonly #view: View
  readonly #names = new Map<string, string>()
  readonly #secrets = new Set<string>()
  /** Those that `troupe auth` is for. */
  readonly #signable = new Set<string>()
  /** Before anything is cut or coloured, so that no secret is left in halves. */
  #redact = (text: string) => text
  #servers: () => readonly ProviderStatus[] = () => []

  constructor({ io, options }: Invocation) {
    const style = styleFor(io.out, io.env)
    this.#io = io
    if (options.json) this.#view = jsonLines(io.out)
    // Questions and a table would overwrite each other.
    else this.#view = io.out.isTerminal && !options.ask ? liveTable(io.out, style) : plainLines(io.out, style)
  }

  /** A configuration that comes into force. Secrets of earlier ones stay hidden. */
  enter({ servers, files: [file = ''] }: Config): void {
    for (const server of servers.values()) {
      const { name, spec } = server
      this.#names.set(prefixOf(server), name)
      if ('url' in spec && takesTokens(spec)) this.#signable.add(name)
      for (const secret of server.secrets) this.#secrets.add(secret)
    }
    this.#redact = redactor([...this.#secrets])
    this.#io.hide([...this.#secrets])
    this.tell({ event: 'config', file, servers: [...servers.keys()] })
  }

  /** From now on these are shown, to begin with as they are. */
  follow(registry: { readonly providers: readonly ProviderStatus[] }): void {
    this.#servers = () => registry.providers
    for (const status of registry.providers) this.tell({ event: 'server', ...this.#rowOf(status) })
  }

  /** A server moved. One that was taken out is listed no more, and where it was replaced another of its prefix is. */
  moved({ path: [prefix = ''], state, generation }: ChildEvent): void {
    const status = this.#servers().find(
      (one) => one.prefix === prefix && one.state === state && one.generation === generation,
    )
    const row = status ? this.#rowOf(status) : { server: this.#nameOf(prefix), state, generation }
    this.tell({ event: 'server', ...row })
  }

  warn(message: string): void {
    this.tell({ event: 'warning', message: this.#redact(message) })
  }

  stderr(server: string, line: string): void {
    this.tell({ event: 'stderr', server, line: this.#redact(line) })
  }

  tell(event: UpEvent): void {
    this.#view.show(
      event,
      this.#servers().map((status) => this.#rowOf(status)),
    )
  }

  #nameOf(prefix: string): string {
    return this.#names.get(prefix) ?? prefix
  }

  #rowOf(status: ProviderStatus): ServerRow {
    const { prefix, state, era, generation, restarts, calls, lastFailure } = status
    const server = this.#nameOf(prefix)
    return {
      server,
      state,
      ...(era && { era }),
      generation,
      restarts,
      calls,
      ...(lastFailure && { lastError: this.#redact(this.#told(lastFailure, server)) }),
    }
  }

  #told({ name, message }: ErrorData, server: string): string {
    const isSignIn = name === 'AuthorizationError' && this.#signable.has(server)
    return isSignIn ? `${message}; sign in with troupe auth ${quoted(server)}` : message
  }
}
