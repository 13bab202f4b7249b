import { ConfigError, McpError } from '../../errors.ts'
import { thrownMessage } from '../../thrown-message.ts'
import type { HttpHooks } from './http-options.ts'

/** Names and values in turn: the form in which they cost least. */
export type FlatHeaders = readonly string[]

type Given = Readonly<Record<string, string>>

/** The headers a user set, those a hook gives before each request, and the credentials of the request, in front of the wire's own. */
export class RequestHeaders {
  readonly #fixed: readonly string[]
  readonly #hook: HttpHooks['headers']

  /** @throws ConfigError for a header that is malformed or the wire's own. */
  constructor(fixed: Readonly<Record<string, string>>, hook?: HttpHooks['headers']) {
    this.#fixed = flatten(fixed)
    this.#hook = hook
  }

  /** A promise only where the hook gives one. Throws or rejects with an McpError when the hook fails, or gave what no header is. */
  before(own: FlatHeaders, credentials: Given = none): string[] | Promise<string[]> {
    if (!this.#hook) return this.#merge(credentials, own)
    try {
      const given = this.#hook()
      if (!(given instanceof Promise)) return this.#merge({ ...given, ...credentials }, own)
      return given
        .then((late) => this.#merge({ ...late, ...credentials }, own))
        .catch((error) => {
          throw asMcpError(error)
        })
    } catch (error) {
      throw asMcpError(error)
    }
  }

  #merge(given: Given, own: FlatHeaders): string[] {
    const merged = [...this.#fixed]
    if (given === none) return [...merged, ...own]
    const fresh = flatten(given)
    for (let index = 0; index < fresh.length; index += 2) {
      const [name = '', value = ''] = fresh.slice(index, index + 2)
      const at = merged.findIndex((one, position) => position % 2 === 0 && one === name)
      if (at === -1) merged.push(name, value)
      else merged[at + 1] = value
    }
    merged.push(...own)
    return merged
  }
}

function asMcpError(error: unknown): McpError {
  if (error instanceof McpError) return error
  const reason = `could not be made: ${thrownMessage(error)}`
  return new ConfigError({ path: ['headers'], reason }, { cause: error })
}

const none: Given = {}

function flatten(headers: Readonly<Record<string, string>>): string[] {
  return Object.entries(headers).flatMap(([name, value]) => {
    const complaint = complain(name, value)
    if (complaint) throw new ConfigError({ path: ['headers', name], reason: complaint })
    return [name.toLowerCase(), value]
  })
}

function complain(name: string, value: unknown): string | undefined {
  if (!token.test(name)) return 'is no name of a header'
  if (ours.test(name)) return 'is set by the transport itself'
  if (typeof value !== 'string') return 'must be a string'
  return fieldValue.test(value) ? undefined : 'holds a character that no header may hold (a line end, say)'
}

const token = /^[\w!#$%&'*+.^`|~-]+$/
const fieldValue = /^[\t\x20-\x7e\x80-\xff]*$/
const ours =
  /^(accept|content-(type|length|encoding)|transfer-encoding|connection|keep-alive|upgrade|te|trailer|expect|last-event-id|mcp-(session-id|protocol-version|method|name|param-.*))$/i
