import type { Sink } from '../io.ts'

/** Writes one JSON document: laid out for a person, on one line for a program. */
export function writeJson(sink: Sink, value: unknown): void {
  sink.write(`${JSON.stringify(value, undefined, sink.isTerminal ? 2 : undefined)}\n`)
}
