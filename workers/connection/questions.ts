import type { ToolCall } from '../../src/bridge/provider.ts'
import type { ClientCapabilities, HookName } from '../../src/protocol/capabilities.ts'
import { declaresElicitation, declaresSampling } from '../../src/protocol/capabilities.ts'
import { readHookResult } from '../../src/protocol/hook-results.ts'
import { declineInput, hookFor, type InputRequest } from '../../src/protocol/input-requests.ts'
import type { JsonObject } from '../../src/protocol/json-rpc.ts'
import { thrownMessage } from '../../src/thrown-message.ts'
import type { Warnings } from '../../src/warnings.ts'
import type { CallId, HookDesk } from '../frames.ts'

export interface QuestionOptions {
  readonly call?: CallId
  readonly toolCall?: ToolCall | undefined
  readonly claim?: string | undefined
  readonly signal?: AbortSignal
}

/**
 * Puts a server's questions to the host's hooks. Refusal is an answer, not a failure: a question nobody declared, a hook that
 * throws or returns no object all decline. Undefined means there is no shape for a refusal: leave the key out.
 */
export class Questions {
  readonly #desk: HookDesk
  readonly #wired: readonly HookName[]
  readonly #capabilities: ClientCapabilities
  readonly #warnings: Warnings
  #nextId = 1

  constructor(
    desk: HookDesk,
    wired: readonly HookName[],
    capabilities: ClientCapabilities,
    warnings: Warnings,
  ) {
    this.#desk = desk
    this.#wired = wired
    this.#capabilities = capabilities
    this.#warnings = warnings
  }

  /** Whether this client said it would answer such a question. */
  isDeclared({ method, params }: InputRequest): boolean {
    switch (hookFor(method)) {
      case 'elicit':
        return declaresElicitation(this.#capabilities, params.mode)
      case 'sample':
        return declaresSampling(this.#capabilities, params.tools)
      case 'listRoots':
        return this.#capabilities.roots !== undefined
      case undefined:
        return false
    }
  }

  async answer(request: InputRequest, options: QuestionOptions = {}): Promise<JsonObject | undefined> {
    const hook = hookFor(request.method)
    if (!hook || !this.#wired.includes(hook) || !this.isDeclared(request)) return declineInput(request.method)
    try {
      const returned = await this.#ask(hook, request, options)
      const reading = readHookResult(hook, request.params, returned)
      if ('body' in reading) return reading.body
      this.#warnings.warn(`the ${hook} hook ${reading.complaint}`, 'the server was told no')
    } catch (error) {
      if (!options.signal?.aborted) {
        this.#warnings.warn(`the ${hook} hook threw`, `the server was told no: ${thrownMessage(error)}`)
      }
    }
    return declineInput(request.method)
  }

  async #ask(
    hook: HookName,
    { method, params }: InputRequest,
    { call, toolCall, claim, signal }: QuestionOptions,
  ): Promise<unknown> {
    const id = this.#nextId++
    const withdraw = () => this.#desk.withdraw(id)
    signal?.addEventListener('abort', withdraw, { once: true })
    try {
      return await this.#desk.ask({
        id,
        hook,
        method,
        params,
        call,
        ...(toolCall && { toolCall }),
        ...(claim !== undefined && { claim }),
      })
    } finally {
      signal?.removeEventListener('abort', withdraw)
    }
  }
}
