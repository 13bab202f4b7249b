import { element } from './dom.ts'

/** What is known of an actor, as a list: its own values, and the rest as JSON to open. */
export function factList(facts: unknown): HTMLElement {
  const list = element('dl', { class: 'facts' })
  if (typeof facts !== 'object' || facts === null) return list
  const present = Object.entries(facts).filter(([, value]) => value !== null && !isEmpty(value))
  // What can be read at a glance comes first.
  const isOpen = ([, value]: [string, unknown]) => typeof value !== 'object'
  for (const [name, value] of [...present.filter(isOpen), ...present.filter((fact) => !isOpen(fact))]) {
    list.append(element('dt', {}, name), element('dd', {}, shown(value)))
  }
  return list
}

function shown(value: unknown): Node | string {
  if (typeof value !== 'object' || value === null) return String(value)
  if (Array.isArray(value) && value.every((item) => typeof item !== 'object')) return value.join(', ')
  return element('details', {}, element('summary', {}, inShort(value)), element('pre', {}, pretty(value)))
}

function inShort(value: object): string {
  if ('message' in value && typeof value.message === 'string') return value.message
  return Array.isArray(value) ? `${value.length} entries` : Object.keys(value).join(', ')
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0
}

function pretty(value: unknown): string {
  return JSON.stringify(value, undefined, 2)
}
