import type { Resource, ResourceTemplate } from '../../protocol/resources.ts'
import type { Sink } from '../io.ts'
import { bytes } from './bytes.ts'
import { entry } from './entry.ts'
import { oneLine } from './printable.ts'
import type { Style } from './style.ts'

/** A resource, or a template of some, in a list of them. */
export function resourceEntry(
  item: Resource | ResourceTemplate,
  uri: string,
  sink: Sink,
  style: Style,
): string {
  const size = 'size' in item && typeof item.size === 'number' ? bytes(item.size) : undefined
  const facts = [item.title ?? item.name, item.mimeType, size].map(oneLine).filter((fact) => fact !== '')
  const head = `${style.bold(oneLine(uri))}  ${style.cyan(facts.join(', '))}`.trimEnd()
  return entry(head, item.description, sink, style)
}
