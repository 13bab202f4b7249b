import type { Sink } from '../io.ts'
import { layoutJson } from './layout-json.ts'
import { printable } from './printable.ts'

/** Writes one JSON document: laid out for a person, on one line for a program. */
export function writeJson(sink: Sink, value: unknown): void {
  sink.write(`${sink.isTerminal ? printable(layoutJson(value, sink.columns)) : JSON.stringify(value)}\n`)
}
