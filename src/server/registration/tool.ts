import { badOption, type Check, checkOptions, flag, hook, json } from '../../check-options.ts'
import type { ContentBlock } from '../../protocol/content.ts'
import type { Icon } from '../../protocol/implementation.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { type ParamHeader, readParamHeaders } from '../../protocol/param-headers.ts'
import type { CallToolResult, Tool, ToolAnnotations } from '../../protocol/tools.ts'
import type { RequestContext } from '../context.ts'
import { isScope } from '../http/authorization/scopes.ts'
import { type PreparedSchema, prepareSchema } from '../schema/argument-schema.ts'
import { type Params, schemaOfParams } from '../schema/params.ts'
import type { StandardSchema } from '../schema/standard-schema.ts'

/** Either `params` or `inputSchema`; neither: the tool takes no arguments. */
export interface ToolDefinition {
  readonly title?: string
  readonly description?: string
  /** The short form: `{ city: { type: 'string', required: true } }`. Arguments it does not name are refused. */
  readonly params?: Params
  /** JSON Schema with `type: 'object'`, or a Standard Schema: then the handler gets what that makes of the arguments. */
  readonly inputSchema?: JsonObject | StandardSchema
  /** Of `structuredContent`. An answer that breaks it becomes a failure of the tool. */
  readonly outputSchema?: JsonObject | StandardSchema
  readonly annotations?: ToolAnnotations
  readonly icons?: readonly Icon[]
  readonly meta?: JsonObject
  /**
   * Over HTTP a caller's token needs all of these, besides those of the endpoint; where no token is asked for, nobody has any. On stdio
   * and in this process callers need none.
   */
  readonly scopes?: readonly string[]
}

/** Text, content blocks, or all of a result. Throwing makes it a result with `isError`; a ProtocolError is answered as it is. */
export type ToolAnswer =
  | string
  | readonly ContentBlock[]
  | (Partial<CallToolResult> &
      ({ readonly content: readonly ContentBlock[] } | { readonly structuredContent: unknown }))

export type ToolHandler<Arguments = JsonObject> = (
  args: Arguments,
  context: RequestContext,
) => ToolAnswer | Promise<ToolAnswer>

export interface RegisteredTool {
  readonly listed: Tool
  readonly input: PreparedSchema
  /** The arguments that `x-mcp-header` in the input schema has mirrored into HTTP headers. */
  readonly headers: readonly ParamHeader[]
  readonly output: PreparedSchema | undefined
  readonly scopes: readonly string[]
  readonly handler: ToolHandler<never>
}

/** @throws ConfigError */
export function prepareTool(name: string, definition: ToolDefinition, handler: unknown): RegisteredTool {
  const path = ['tool', name]
  checkOptions(definition, checks, path)
  const complaint = hook(handler)
  if (complaint) throw badOption('handler', complaint, path)
  const { params, inputSchema, outputSchema, meta, scopes = [], ...listed } = definition
  if (params !== undefined && inputSchema !== undefined)
    throw badOption('params', 'and inputSchema are two ways to say the same: give one of them', path)
  const input = prepared(inputSchema ?? schemaOfParams(params ?? {}), 'inputSchema', path)
  if (input.listed.type !== 'object') throw badOption('inputSchema', 'must have type "object"', path)
  const mirrored = readParamHeaders(input.listed)
  if ('complaint' in mirrored) throw badOption('inputSchema', mirrored.complaint, path)
  const output = outputSchema === undefined ? undefined : prepared(outputSchema, 'outputSchema', path)
  return {
    listed: {
      name,
      ...listed,
      inputSchema: input.listed,
      ...(output && { outputSchema: output.listed }),
      ...(meta && { _meta: meta }),
    },
    input,
    headers: mirrored.headers,
    output,
    scopes,
    handler: handler as ToolHandler<never>,
  }
}

const checks: { readonly [option in keyof Required<ToolDefinition>]: Check } = {
  title: string,
  description: string,
  params: (value) =>
    isObject(value) && Object.values(value).every(isObject) ? undefined : 'must be an object of parameters',
  inputSchema: () => undefined,
  outputSchema: () => undefined,
  annotations,
  icons: (value) => (Array.isArray(value) ? undefined : 'must be an array of icons'),
  meta: json,
  scopes: (value) =>
    Array.isArray(value) && value.every(isScope) ? undefined : 'must be an array of scopes',
}

function string(value: unknown): string | undefined {
  return typeof value === 'string' ? undefined : 'must be a string'
}

function annotations(value: unknown): string | undefined {
  if (!isObject(value)) return 'must be an object'
  const bad = Object.entries(value).find(([name, hint]) => (name === 'title' ? string : flag)(hint))
  return bad && `must be true or false, and a string for title: ${bad[0]} is neither`
}

function prepared(given: unknown, option: string, path: readonly string[]): PreparedSchema {
  const reading = prepareSchema(given)
  if ('complaint' in reading) throw badOption(option, reading.complaint, path)
  return reading.schema
}
