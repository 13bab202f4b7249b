import { isObject, type JsonObject } from '../../src/protocol/json-rpc.ts'
import { type ParamHeader, paramHeaders, readParamHeaders } from '../../src/protocol/param-headers.ts'
import type { Warnings } from '../../src/warnings.ts'

/** Which arguments of which tool are mirrored into headers, as the tools listed last say. Only for wires that carry headers. */
export class ToolHeaders {
  readonly #warnings: Warnings
  #annotated: ReadonlyMap<string, readonly ParamHeader[]> = new Map()

  constructor(warnings: Warnings) {
    this.#warnings = warnings
  }

  /** The tools that may be used: one with a bad annotation is left out and named. */
  admit(tools: readonly JsonObject[]): readonly JsonObject[] {
    const annotated = new Map<string, readonly ParamHeader[]>()
    const admitted = tools.filter(({ name, inputSchema }) => {
      const reading = isObject(inputSchema) ? readParamHeaders(inputSchema) : { headers: [] }
      if ('complaint' in reading) {
        this.#warnings.warn('a tool was left out of the list', `${String(name)}: ${reading.complaint}`)
        return false
      }
      if (reading.headers.length > 0) annotated.set(String(name), reading.headers)
      return true
    })
    this.#annotated = annotated
    return admitted
  }

  /** The headers of one call, from the JSON text of its params. */
  of(tool: string | undefined, params: string): { readonly [name: string]: string } | undefined {
    const headers = tool === undefined ? undefined : this.#annotated.get(tool)
    if (!headers) return undefined
    const { arguments: args } = JSON.parse(params) as { readonly arguments?: unknown }
    return paramHeaders(headers, args)
  }
}
