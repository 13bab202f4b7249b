import { isObject, type JsonObject } from '../protocol/json-rpc.ts'
import type { ToolCall, ToolResult } from './provider.ts'
import { type CallReading, malformedText, type ReadyCall, readCall } from './read-call.ts'
import { failed, notBegun, type ToolOutcome, toolResult } from './tool-result.ts'

export interface BatchOptions {
  /** Whether calls of that tool may run at once, in any order. A failure means no. Asked only when it matters. */
  readonly isParallel: (tool: string) => boolean | Promise<boolean>
  /** How many calls run at once in such a batch; default 4; 1: none beside another. */
  readonly toolConcurrency?: number
  /** Runs one call; a rejection becomes a result with `is_error`. */
  readonly execute: (call: ReadyCall) => Promise<ToolOutcome>
  /** Calls that have not begun when it aborts are not made. Those under way are for `execute` to end. */
  readonly signal?: AbortSignal
}

/**
 * Runs a model's calls and answers each, in the order they were given, under its own id. One after the other, since a model that
 * asks for a write beside a read describes an order; unless every call names a tool that may run at once: then the distinct ones
 * do, and identical ones are made once. Never rejects.
 */
export async function runBatch(
  calls: readonly ToolCall[],
  options: BatchOptions,
): Promise<readonly ToolResult[]> {
  const readings = Array.from(calls, (call: unknown) => readCall(call))
  return (await areParallel(readings, options)) ? atOnce(readings, options) : inOrder(readings, options)
}

async function areParallel(
  readings: readonly CallReading[],
  { isParallel, toolConcurrency = defaultConcurrency, signal }: BatchOptions,
): Promise<boolean> {
  if (toolConcurrency <= 1 || readings.length <= 1 || signal?.aborted) return false
  const tools = new Set(readings.map(nameOf))
  try {
    const verdicts = await Promise.all(
      [...tools].map((tool) => (tool === undefined ? false : isParallel(tool))),
    )
    return verdicts.every((verdict) => verdict)
  } catch {
    return false
  }
}

async function inOrder(
  readings: readonly CallReading[],
  options: BatchOptions,
): Promise<readonly ToolResult[]> {
  const results: ToolResult[] = []
  for (const reading of readings) results.push(toolResult(idOf(reading), await outcomeOf(reading, options)))
  return results
}

/** One request, and every slot that asked for it. */
interface Job {
  readonly reading: CallReading
  outcome: ToolOutcome
}

async function atOnce(
  readings: readonly CallReading[],
  options: BatchOptions,
): Promise<readonly ToolResult[]> {
  const jobs = new Map<unknown, Job>()
  const slots = readings.map((reading) => {
    const identity = identityOf(reading)
    const job = jobs.get(identity) ?? { reading, outcome: notBegun }
    jobs.set(identity, job)
    return { id: idOf(reading), job }
  })
  const waiting = jobs.values()
  const takeTurns = async () => {
    for (const job of waiting) job.outcome = await outcomeOf(job.reading, options)
  }
  const { toolConcurrency = defaultConcurrency } = options
  await Promise.all(Array.from({ length: Math.min(toolConcurrency, jobs.size) }, takeTurns))
  return slots.map(({ id, job }) => toolResult(id, job.outcome))
}

async function outcomeOf(reading: CallReading, { execute, signal }: BatchOptions): Promise<ToolOutcome> {
  if (reading.kind === 'malformed') return failed(malformedText(reading))
  if (signal?.aborted) return notBegun
  try {
    return await execute(reading.call)
  } catch (failure) {
    return failed(failure)
  }
}

const defaultConcurrency = 4

function idOf(reading: CallReading): string {
  return reading.kind === 'ready' ? reading.call.id : reading.id
}

function nameOf(reading: CallReading): string | undefined {
  return reading.kind === 'ready' ? reading.call.name : reading.name
}

/** The same for calls that ask for the same, however they order their arguments. */
function identityOf(reading: CallReading): unknown {
  if (reading.kind === 'malformed') return reading
  const { name, arguments: args, meta } = reading.call
  try {
    return JSON.stringify([name, args, meta], (_, value: unknown) =>
      isObject(value) ? sorted(value) : value,
    )
  } catch {
    return reading
  }
}

function sorted(object: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(object).sort(([one], [other]) => (one < other ? -1 : 1)))
}
