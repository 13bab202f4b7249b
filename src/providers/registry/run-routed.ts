import type { ExecuteOptions, ToolCall, ToolResult } from '../../bridge/provider.ts'
import { malformedText, readCall } from '../../bridge/read-call.ts'
import { failed, notBegun, type ToolOutcome, toolResult } from '../../bridge/tool-result.ts'
import type { Route } from './catalogue.ts'
import type { Entry } from './entry.ts'
import { untilAborted } from './until-aborted.ts'

export interface Routing {
  route(name: string): Route | undefined
  /** What a model reads of a tool that is none. */
  unknownTool(name: string): string
  /** Whether what the name led to was taken out since. */
  wasTakenOut(name: string, asOf: ExecuteOptions['asOf']): boolean
  isDropped(entry: Entry): boolean
  /** Whether the server says that calls of the tool may run at once with any others. */
  mayRunAtOnce(route: Route): Promise<boolean>
}

/** The calls of one entry, and where in the model's list each stands. */
interface Batch {
  readonly entry: Entry
  readonly calls: RoutedCall[]
}

interface RoutedCall {
  /** By its provider's own name. */
  readonly call: ToolCall
  readonly published: string
  readonly slot: number
  readonly route: Route
}

/**
 * Hands each entry its calls as one batch, and puts the results in the model's order. One entry after the other, in the order the
 * model first named them, since what it asks for may be an order; all at once when every call says that it is no part of one.
 */
export async function runRouted(
  calls: readonly ToolCall[],
  options: ExecuteOptions,
  routing: Routing,
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  const batches = new Map<Entry, Batch>()
  for (const [slot, call] of calls.entries()) {
    const name: unknown = call?.function?.name
    const isCall = typeof name === 'string' && typeof call.id === 'string'
    const route = isCall ? routing.route(name) : undefined
    if (isCall && routing.wasTakenOut(name, options.asOf)) results[slot] = toolResult(call.id, takenOut(name))
    else if (!isCall || !route) results[slot] = unroutable(call, options.signal, routing)
    else {
      const { entry } = route
      const batch = batches.get(entry) ?? { entry, calls: [] }
      batches.set(entry, batch)
      const own = { ...call, function: { ...call.function, name: route.name } }
      batch.calls.push({ call: own, published: name, slot, route })
    }
  }
  const run = async (batch: Batch) => {
    const answers = await answered(batch, options, routing)
    for (const [index, { slot }] of batch.calls.entries()) results[slot] = answers[index] as ToolResult
  }
  const parallel = await untilAborted(areParallel([...batches.values()], routing), options.signal)
  if (parallel) await Promise.all([...batches.values()].map(run))
  else for (const batch of batches.values()) await run(batch)
  return results
}

async function answered(
  { entry, calls }: Batch,
  options: ExecuteOptions,
  routing: Routing,
): Promise<readonly ToolResult[]> {
  if (options.signal?.aborted) return calls.map(({ call }) => toolResult(call.id, notBegun))
  if (routing.isDropped(entry))
    return calls.map(({ call, published }) => toolResult(call.id, takenOut(published)))
  return entry.execute(
    calls.map(({ call }) => call),
    options,
  )
}

function takenOut(name: string): ToolOutcome {
  return failed(
    `The call of ${name} was not made: what had this tool was removed or replaced before its turn came. Nothing was done. If there is a tool of this name now, it may be another one.`,
  )
}

function unroutable(call: ToolCall, signal: AbortSignal | undefined, routing: Routing): ToolResult {
  const reading = readCall(call)
  if (reading.kind === 'malformed') return toolResult(reading.id, failed(malformedText(reading)))
  // It may be of a provider that was not waited for.
  if (signal?.aborted) return toolResult(reading.call.id, notBegun)
  return toolResult(reading.call.id, failed(routing.unknownTool(reading.call.name)))
}

async function areParallel(batches: readonly Batch[], routing: Routing): Promise<boolean> {
  if (batches.length < 2) return false
  const verdicts = batches.flatMap(({ calls }) => calls.map(({ route }) => routing.mayRunAtOnce(route)))
  return (await Promise.all(verdicts)).every((verdict) => verdict)
}
