import type { ExecuteOptions, ToolCall, ToolResult } from '../../bridge/provider.ts'
import { malformedText, readCall } from '../../bridge/read-call.ts'
import { failed, notBegun, toolResult } from '../../bridge/tool-result.ts'
import type { Route } from './catalogue.ts'
import type { Entry } from './entry.ts'
import { untilAborted } from './until-aborted.ts'

export interface Routing {
  route(name: string): Route | undefined
  /** What a model reads of a tool that is none. */
  unknownTool(name: string): string
  /** Whether the server says that calls of the tool may run at once with any others. */
  mayRunAtOnce(route: Route): Promise<boolean>
}

/** The calls of one entry, and where in the model's list each stands. */
interface Batch {
  readonly entry: Entry
  readonly calls: { readonly call: ToolCall; readonly slot: number; readonly route: Route }[]
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
    const route = typeof name === 'string' && typeof call.id === 'string' ? routing.route(name) : undefined
    if (!route) results[slot] = unroutable(call, options.signal, routing)
    else {
      const { entry } = route
      const batch = batches.get(entry) ?? { entry, calls: [] }
      batches.set(entry, batch)
      batch.calls.push({ call: { ...call, function: { ...call.function, name: route.name } }, slot, route })
    }
  }
  const run = async ({ entry, calls }: Batch) => {
    const answers = options.signal?.aborted
      ? calls.map(({ call }) => toolResult(call.id, notBegun))
      : await entry.execute(
          calls.map(({ call }) => call),
          options,
        )
    for (const [index, { slot }] of calls.entries()) results[slot] = answers[index] as ToolResult
  }
  const parallel = await untilAborted(areParallel([...batches.values()], routing), options.signal)
  if (parallel) await Promise.all([...batches.values()].map(run))
  else for (const batch of batches.values()) await run(batch)
  return results
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
