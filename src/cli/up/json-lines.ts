import type { Sink } from '../io.ts'
import { jsonText } from '../text/json-text.ts'
import type { View } from './event.ts'

/** One event a line. */
export function jsonLines(sink: Sink): View {
  return { show: (event) => sink.write(`${jsonText(event)}\n`) }
}
