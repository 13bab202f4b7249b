import {
  badOption,
  type Check,
  checkOptions,
  flag,
  hook,
  json,
  oneOf,
  string,
  wholeNumber,
} from '../../check-options.ts'
import type { ContentBlock } from '../../protocol/content.ts'
import type { Icon } from '../../protocol/implementation.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { type ParamHeader, readParamHeaders } from '../../protocol/param-headers.ts'
import type { CallToolResult, Tool, ToolAnnotations } from '../../protocol/tools.ts'
import { isScope } from '../http/authorization/scopes.ts'
import { moduleComplaint } from '../pool/module-complaint.ts'
import type { ToolThreads } from '../pool/tool-threads.ts'
import type { RequestContext } from '../request/request-context.ts'
import { type PreparedSchema, prepareSchema } from '../schema/argument-schema.ts'
import { type Params, paramsComplaint, schemaOfParams } from '../schema/params.ts'
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.ts'
import type { TaskStart } from '../tasks/call-with-task.ts'
import type { TaskSupport } from '../tasks/task-support.ts'
import { icons } from './icons.ts'

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
  /**
   * Whether calls become tasks where the client takes tasks: `optional`, elsewhere they are answered at once; `required`, elsewhere they
   * are refused. Default `forbidden`. In a task questions wait for their answers: the handler runs once.
   */
  readonly taskSupport?: TaskSupport
  /** `handler`: the handler makes the task, by `context.startTask()`, and may answer without; default `call`: each call becomes one. */
  readonly taskStart?: TaskStart
  /** Of a handler in a module: how many ms it may take, from when a thread has it; then the thread is stopped. Default without end. */
  readonly timeoutMs?: number
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

/**
 * A handler in a module of its own, for work that would hold everybody else up: the URL of a file whose default export, or the one that
 * the hash names, is a `ThreadHandler`. It runs in a thread, which is stopped when the call is given up.
 * `new URL('./heavy.js', import.meta.url)`
 */
export type HandlerModule = URL

export interface RegisteredTool {
  readonly listed: Tool
  readonly taskSupport: TaskSupport
  readonly taskStart: TaskStart
  readonly input: PreparedSchema
  /** The arguments that `x-mcp-header` in the input schema has mirrored into HTTP headers. */
  readonly headers: readonly ParamHeader[]
  readonly output: PreparedSchema | undefined
  readonly scopes: readonly string[]
  readonly handler: ToolHandler<never>
}

/** @throws ConfigError */
export function prepareTool(
  name: string,
  definition: ToolDefinition,
  handler: unknown,
  threads: ToolThreads,
): RegisteredTool {
  const path = ['tool', name]
  checkOptions(definition, checks, path)
  const complaint = handler instanceof URL ? moduleComplaint(handler) : handlerComplaint(handler)
  if (complaint) throw badOption('handler', complaint, path)
  const { params, inputSchema, outputSchema, meta, scopes = [], ...more } = definition
  const { taskSupport = 'forbidden', taskStart = 'call', timeoutMs, ...listed } = more
  if (definition.taskStart !== undefined && taskSupport === 'forbidden')
    throw badOption('taskStart', 'needs taskSupport', path)
  if (timeoutMs !== undefined && !(handler instanceof URL))
    throw badOption('timeoutMs', 'is for handlers in a module: nothing else can be stopped', path)
  if (params !== undefined && inputSchema !== undefined)
    throw badOption('params', 'and inputSchema are two ways to say the same: give one of them', path)
  const input = prepared(inputSchema ?? schemaOfParams(params ?? {}), 'inputSchema', path)
  if (input.listed.type !== 'object') throw badOption('inputSchema', notOfObjects(input.listed), path)
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
    taskSupport,
    taskStart,
    handler:
      handler instanceof URL ? threads.handler(name, handler, timeoutMs) : (handler as ToolHandler<never>),
  }
}

const checks: { readonly [option in keyof Required<ToolDefinition>]: Check } = {
  title: string,
  description: string,
  params: paramsComplaint,
  inputSchema: () => undefined,
  outputSchema: () => undefined,
  annotations,
  icons,
  meta: json,
  scopes: (value) =>
    Array.isArray(value) && value.every(isScope) ? undefined : 'must be an array of scopes',
  taskSupport: oneOf('forbidden', 'optional', 'required'),
  taskStart: oneOf('call', 'handler'),
  timeoutMs: wholeNumber,
}

function handlerComplaint(handler: unknown): string | undefined {
  return hook(handler) && 'must be a function, or the URL of a module: new URL("./heavy.js", import.meta.url)'
}

function notOfObjects(schema: JsonObject): string {
  const isShape = Object.values(schema).some(isStandardSchema)
  return isShape
    ? 'is an object of schemas: make one schema of it, such as z.object({ … })'
    : 'must have type "object"'
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
