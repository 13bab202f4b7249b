import type { JsonRpcErrorObject } from '../src/protocol/json-rpc.ts'
import { thrownMessage } from '../src/thrown-message.ts'
import { threadContext } from './tool-context.ts'
import type { Outcome, ToolTask } from './tool-frames.ts'
import { ToolOutbox } from './tool-outbox.ts'

/** Runs one call in this thread, and says on its port what came of it. Never rejects. */
export async function hostTool({ module, exportName, args, facts, port, heard }: ToolTask): Promise<void> {
  const outbox = new ToolOutbox(port, heard)
  const context = threadContext(facts, outbox)
  outbox.end(await outcomeOf(module, exportName, (handler) => handler(args, context)))
}

type Handler = (args: unknown, context: unknown) => unknown

async function outcomeOf(
  module: string,
  exportName: string,
  run: (handler: Handler) => unknown,
): Promise<Outcome> {
  const loading = await load(module, exportName)
  if ('complaint' in loading) return { kind: 'threw', message: loading.complaint }
  try {
    return { kind: 'answered', text: JSON.stringify(await run(loading.handler)) ?? 'null' }
  } catch (thrown) {
    const error = refusalOf(thrown)
    return error ? { kind: 'refused', error } : { kind: 'threw', message: thrownMessage(thrown) }
  }
}

async function load(
  module: string,
  exportName: string,
): Promise<{ readonly handler: Handler } | { readonly complaint: string }> {
  try {
    const exports: unknown = await import(module)
    const handler: unknown = Reflect.get(Object(exports), exportName)
    return typeof handler === 'function'
      ? { handler: handler as Handler }
      : { complaint: `The module of this tool exports no function as ${exportName}: ${module}` }
  } catch (thrown) {
    return { complaint: `The module of this tool cannot be loaded: ${thrownMessage(thrown)}` }
  }
}

/** By its shape: the author's package may be another copy of this one. */
function refusalOf(thrown: unknown): JsonRpcErrorObject | undefined {
  if (!(thrown instanceof Error) || thrown.name !== 'ProtocolError') return undefined
  const code: unknown = Reflect.get(thrown, 'code')
  const data: unknown = Reflect.get(thrown, 'data')
  if (typeof code !== 'number' || !Number.isInteger(code)) return undefined
  try {
    return {
      code,
      message: thrown.message,
      ...(data !== undefined && { data: JSON.parse(JSON.stringify(data)) }),
    }
  } catch {
    // The data is no JSON.
    return { code, message: thrown.message }
  }
}
