import type { Clock } from '../../src/clock.ts'
import { InvalidResultError, ProtocolError, TimeoutError } from '../../src/errors.ts'
import { ErrorCode } from '../../src/protocol/error-codes.ts'
import { isObject, type JsonObject } from '../../src/protocol/json-rpc.ts'
import { readResult } from '../../src/protocol/results.ts'
import type { Warnings } from '../../src/warnings.ts'
import type { Budget, ListMethod } from '../frames.ts'
import { Deadline } from './deadline.ts'
import type { Exchanges } from './exchange.ts'
import type { Peer } from './peer.ts'
import type { ResultCache } from './result-cache.ts'

/** More than this, in pages or in characters of JSON, is not a catalogue. */
const maxPages = 1_000
const maxChars = 64 * 1024 * 1024

/** Where a list stands in its result, and what an entry cannot be without. */
const shapes: { readonly [method in ListMethod]: { readonly items: string; readonly key: string } } = {
  'tools/list': { items: 'tools', key: 'name' },
  'resources/list': { items: 'resources', key: 'uri' },
  'resources/templates/list': { items: 'resourceTemplates', key: 'uriTemplate' },
  'prompts/list': { items: 'prompts', key: 'name' },
}

export interface CatalogueParts {
  readonly clock: Clock
  readonly exchanges: Exchanges
  readonly cache: ResultCache
  readonly warnings: Warnings
}

export interface ListOptions {
  readonly refresh: boolean
  /** `timeoutMs` for each page, `maxTotalTimeoutMs` for all of them. */
  readonly budget: Budget
  readonly signal: AbortSignal
}

/** Lists, whole: every page followed and merged, pages kept each for its own time. */
export class Catalogue {
  readonly #parts: CatalogueParts

  constructor(parts: CatalogueParts) {
    this.#parts = parts
  }

  async list(method: ListMethod, peer: Peer, options: ListOptions): Promise<readonly JsonObject[]> {
    if (options.refresh) this.#parts.cache.drop(method)
    const { timeoutMs, maxTotalTimeoutMs = 0 } = options.budget
    const total = new AbortController()
    const deadline = new Deadline(this.#parts.clock, 0, maxTotalTimeoutMs, (option) =>
      total.abort(new TimeoutError({ method, timeoutMs: maxTotalTimeoutMs, option })),
    )
    const signal = AbortSignal.any([options.signal, total.signal])
    try {
      return await this.#whole(method, peer, { ...options, budget: { timeoutMs }, signal })
    } finally {
      deadline.clear()
    }
  }

  async #whole(method: ListMethod, peer: Peer, options: ListOptions): Promise<readonly JsonObject[]> {
    try {
      return await this.#pages(method, peer, options)
    } catch (error) {
      if (!(error instanceof StaleCursor)) throw error
      this.#parts.cache.drop(method)
      return await this.#pages(method, peer, options).catch((again) => {
        throw again instanceof StaleCursor ? again.refusal : again
      })
    }
  }

  async #pages(method: ListMethod, peer: Peer, options: ListOptions): Promise<readonly JsonObject[]> {
    const items: JsonObject[] = []
    const seen = new Set<string>()
    let chars = 0
    let cursor: string | undefined
    for (let page = 1; page <= maxPages; page++) {
      const { result, size } = await this.#page(method, cursor, peer, options)
      // Not by spreading: a page of 200 000 entries is no argument list.
      for (const item of this.#read(method, result)) items.push(item)
      cursor = nextCursor(result, peer)
      if (cursor === undefined) return items
      if (seen.has(cursor)) {
        this.#parts.warnings.warn(
          `${method} runs in circles`,
          `page ${page} names a cursor seen before; the list stops there`,
        )
        return items
      }
      seen.add(cursor)
      chars += size
      if (chars > maxChars) {
        this.#parts.warnings.warn(
          `${method} is too large`,
          `stopped after ${page} pages of ${chars} characters`,
        )
        return items
      }
    }
    this.#parts.warnings.warn(`${method} never ends`, `stopped after ${maxPages} pages`)
    return items
  }

  async #page(
    method: ListMethod,
    cursor: string | undefined,
    peer: Peer,
    options: ListOptions,
  ): Promise<{ readonly result: JsonObject; readonly size: number }> {
    const { cache, exchanges } = this.#parts
    const params = cursor === undefined ? '{}' : JSON.stringify({ cursor })
    const kept = cache.get(method, params)
    // What is kept is bounded where it is kept.
    if (kept) return { result: kept, size: 0 }
    const { budget, signal } = options
    const epoch = cache.epoch
    const answer = await exchanges.ask(method, params, { budget, signal })
    if (answer.kind === 'failure') throw answer.failure
    if (answer.kind === 'error') {
      const isStale = cursor !== undefined && answer.error.code === ErrorCode.InvalidParams
      const refusal = new ProtocolError(answer.error)
      throw isStale ? new StaleCursor(refusal) : refusal
    }
    const reading = readResult(answer.result, peer.era)
    if (reading.kind !== 'complete') {
      throw new InvalidResultError({
        method,
        reason: reading.kind === 'invalid' ? reading.reason : 'a list cannot ask for input',
      })
    }
    cache.put(method, params, reading.result, reading.cache, epoch)
    return { result: reading.result, size: answer.size }
  }

  #read(method: ListMethod, result: JsonObject): readonly JsonObject[] {
    const { items, key } = shapes[method]
    const list = result[items]
    if (!Array.isArray(list)) throw new InvalidResultError({ method, reason: `${items} is not an array` })
    return list.filter((item): item is JsonObject => {
      const isUsable =
        isObject(item) &&
        typeof item[key] === 'string' &&
        (method !== 'tools/list' || isObject(item.inputSchema))
      if (!isUsable)
        this.#parts.warnings.warn(
          `${method} lists something unusable`,
          `an entry without ${method === 'tools/list' ? 'name or inputSchema' : key} was left out`,
        )
      return isUsable
    })
  }
}

/** A cursor the server no longer knows: the pages kept before it are worthless too. */
class StaleCursor extends Error {
  readonly refusal: ProtocolError

  constructor(refusal: ProtocolError) {
    super(refusal.message)
    this.refusal = refusal
  }
}

/** Only a missing cursor ends a modern list; '' is a cursor there. */
function nextCursor(result: JsonObject, peer: Peer): string | undefined {
  const { nextCursor: cursor } = result
  if (typeof cursor !== 'string') return undefined
  return cursor === '' && peer.era === 'legacy' ? undefined : cursor
}
