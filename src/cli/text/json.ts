import type { Sink } from '../io.ts'
import { escapeControls, jsonText } from './json-text.ts'
import { layoutJson } from './layout-json.ts'

/** Writes one JSON document: laid out for a person, on one line for a program. */
export function writeJson(sink: Sink, value: unknown): void {
  sink.write(`${sink.isTerminal ? escapeControls(layoutJson(value, sink.columns)) : jsonText(value)}\n`)
}
