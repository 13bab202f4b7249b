import { isObject } from './protocol/json-rpc.ts'
import { isSecretOption, knownTokens, mask, secretName } from './secret-shapes.ts'

/** How much of a value is shown. */
export interface Bounds {
  /** In all; default 4000. */
  readonly maxChars?: number
  /** Of one text; default 500. */
  readonly maxTextChars?: number
  /** Of one array or object; default 50. */
  readonly maxItems?: number
  /** How deep it may nest; default 8. */
  readonly maxDepth?: number
  /** Hides what else is known to be secret, wherever it stands in a text. */
  readonly hide?: (text: string) => string
}

export const cut = '…'

/**
 * What may be shown of a value to whoever watches: plain data without secrets, and no more than so much of it. A text that is cut
 * says how much is missing. What is masked: values whose name says that they are secret, everything under `env` and `headers`,
 * and whatever looks like a credential wherever it stands. Never throws.
 */
export function redact(value: unknown, bounds: Bounds = {}): unknown {
  return new Redaction(bounds).of(value, 0)
}

class Redaction {
  readonly #bounds: Required<Bounds>
  #charsLeft: number

  constructor({ maxChars = 4_000, maxTextChars = 500, maxItems = 50, maxDepth = 8, hide = same }: Bounds) {
    this.#bounds = { maxChars, maxTextChars, maxItems, maxDepth, hide }
    this.#charsLeft = maxChars
  }

  of(value: unknown, depth: number): unknown {
    try {
      return this.#shown(value, depth)
    } catch {
      // A getter that throws, a proxy that refuses.
      return '[unreadable]'
    }
  }

  #shown(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return this.#text(jsonWithin(value, (inner) => this.of(inner, depth + 1)))
    if (typeof value === 'number' || typeof value === 'boolean' || value === null) {
      this.#charsLeft -= String(value).length
      return value
    }
    if (typeof value !== 'object') return value === undefined ? undefined : this.#text(`[${typeof value}]`)
    if (depth >= this.#bounds.maxDepth || this.#charsLeft <= 0) return cut
    if (Array.isArray(value)) return this.#list(value, depth)
    if (value instanceof Error) return this.#record({ name: value.name, message: value.message }, depth)
    // What is no plain data, e.g. an actor, may hold anything.
    if (!isPlain(value)) return this.#text(`[${value.constructor?.name ?? 'object'}]`)
    return this.#record(value, depth)
  }

  #list(values: readonly unknown[], depth: number): unknown[] {
    const shown: unknown[] = []
    for (const [index, value] of values.entries()) {
      if (index >= this.#bounds.maxItems || this.#charsLeft <= 0)
        return [...shown, `${cut} ${values.length - index} more`]
      shown.push(isSecretOption(values[index - 1]) ? mask : this.of(value, depth + 1))
    }
    return shown
  }

  #record(record: { readonly [key: string]: unknown }, depth: number): unknown {
    const shown: [string, unknown][] = []
    const keys = Object.keys(record)
    for (const [index, key] of keys.entries()) {
      if (index >= this.#bounds.maxItems || this.#charsLeft <= 0) {
        shown.push([cut, `${keys.length - index} more`])
        break
      }
      shown.push([this.#text(key), this.#member(key, record[key], depth + 1)])
    }
    // Not by assignment: a key may be `__proto__`.
    return Object.fromEntries(shown)
  }

  #member(key: string, value: unknown, depth: number): unknown {
    if (holdsSecrets.test(key) && isObject(value)) return this.#masked(value)
    return isSecret(key, value) ? mask : this.of(value, depth)
  }

  /** The names alone. */
  #masked(record: { readonly [key: string]: unknown }): unknown {
    const names = Object.keys(record).slice(0, this.#bounds.maxItems)
    return Object.fromEntries(names.map((name) => [this.#text(name), mask]))
  }

  #text(text: string): string {
    const { maxTextChars, hide } = this.#bounds
    const size = Math.min(maxTextChars, Math.max(0, this.#charsLeft))
    // Masked before it is cut, so that the cut leaves no half of a secret; but a long text is not read to its end.
    const read = hide(text.slice(0, maxReadChars)).slice(0, size + lookAheadChars)
    const shown = redactText(read).slice(0, size)
    this.#charsLeft -= shown.length
    return text.length > size && shown.length === size ? `${shown}${cut} ${text.length - size} more` : shown
  }
}

/** A text with what looks like a credential masked. */
export function redactText(text: string): string {
  return text
    .replaceAll(privateKey, mask)
    .replaceAll(credentialsInUrl, `$1${mask}@`)
    .replaceAll(authorization, `$1 ${mask}`)
    .replaceAll(assignment, `$1$2${mask}`)
    .replaceAll(knownTokens, mask)
}

/** Tools answer with JSON in a text: there the names around a secret tell more than its shape. */
function jsonWithin(text: string, redacted: (value: unknown) => unknown): string {
  if (text.length > maxReadChars || !/^\s*[[{]/.test(text)) return text
  try {
    return JSON.stringify(redacted(JSON.parse(text)))
  } catch {
    return text
  }
}

/** A number is no secret under a name like `maxTokens`, but is one as a `pin`; nothing is no secret at all. */
function isSecret(key: string, value: unknown): boolean {
  if (value === undefined || value === null || value === '' || typeof value === 'boolean') return false
  if (notSecret.test(key)) return false
  return secretName.test(key) && !(typeof value === 'number' && /token/i.test(key))
}

function isPlain(value: object): value is { readonly [key: string]: unknown } {
  const prototype = Object.getPrototypeOf(value)
  return prototype === null || prototype === Object.prototype
}

const lookAheadChars = 200
const maxReadChars = 20_000
const same = (text: string) => text
const holdsSecrets = /^(env|environment|headers|cookies)$/i
/** The protocol's own words. */
const notSecret = /^(progressToken|maxTokens|tokens|stopReason)$/i
const privateKey = /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g
const credentialsInUrl = /(\b[a-z][\w+.-]{0,40}:\/\/)[^\s/@"']+@/gi
const authorization = /\b(Bearer|Basic)\s+[\w.~+/=-]{6,}/gi
const assignment =
  /\b([\w-]*(?:token|secret|passw(?:or)?d|passphrase|api[-_]?key|access[-_]?key|credential|signature|session-?id|request-?state)["'\\]*)(\s*[=:]\s*)(\\+".*?(?:\\+"|$)|"(?:[^"\\]|\\.)*"?|'(?:[^'\\]|\\.)*'?|[^\s,;&"'}]+)/gis
