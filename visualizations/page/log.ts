import type { LogEntry } from '../../src/inspector/frames.ts'
import { byId, element } from './dom.ts'
import { clockTime, sizeText, stateText } from './words.ts'

export interface LogFilter {
  readonly server: string | undefined
  readonly kinds: ReadonlySet<LogEntry['kind']>
  /** Lower case. */
  readonly search: string
}

const mostRows = 300

/** The log, newest first. Rows are made once: what is new is put before them. */
export class LogView {
  #last = 0
  #filter: LogFilter | undefined

  show(log: readonly LogEntry[], filter: LogFilter): void {
    const list = byId('entries')
    const isSame = filter === this.#filter
    if (!isSame) {
      list.replaceChildren()
      this.#last = 0
      this.#filter = filter
    }
    const added = log.filter((entry) => entry.number > this.#last && passes(entry, filter)).slice(-mostRows)
    this.#last = log.at(-1)?.number ?? 0
    list.prepend(...added.reverse().map((entry) => row(entry, filter.server === undefined)))
    while (list.children.length > mostRows) list.lastElementChild?.remove()
  }

  /** Numbers may begin anew: another inspector answers. */
  clear(): void {
    this.#filter = undefined
  }
}

function passes(entry: LogEntry, { server, kinds, search }: LogFilter): boolean {
  if (server !== undefined && entry.server !== server) return false
  if (!kinds.has(entry.kind)) return false
  return search === '' || JSON.stringify(entry).toLowerCase().includes(search)
}

function row(entry: LogEntry, namesServer: boolean): HTMLElement {
  const { title, aside, text } = partsOf(entry)
  const head = [
    element('time', {}, clockTime(entry.atMs)),
    element('span', { class: 'sign', 'aria-hidden': 'true' }, signOf(entry)),
    namesServer ? element('span', { class: 'name' }, entry.server) : undefined,
    element('span', { class: 'title' }, title),
    element('span', { class: 'quiet' }, aside),
  ]
  const content = text === undefined ? element('div', { class: 'head' }, ...head) : unfolding(head, text)
  return element(
    'li',
    { 'data-kind': entry.kind, 'data-type': 'type' in entry ? entry.type : undefined },
    content,
  )
}

function partsOf(entry: LogEntry): { title: string; aside: string; text?: string } {
  switch (entry.kind) {
    case 'message': {
      const id = entry.id === undefined ? '' : `#${entry.id} · `
      return { title: entry.type, aside: `${id}${sizeText(entry.size)}`, text: entry.text }
    }
    case 'event':
      return {
        title: eventText(entry),
        aside: `${actorName(entry)}${entry.from === undefined ? '' : ` · from ${withoutServer(entry.from, entry.server)}`}`,
        text: entry.text === '{}' ? undefined : entry.text,
      }
    case 'state':
      return { title: stateText(entry.states), aside: actorName(entry) }
  }
}

function signOf(entry: LogEntry): string {
  if (entry.kind === 'message') return entry.direction === 'sent' ? '→' : '←'
  return entry.kind === 'event' ? '⚡' : '●'
}

function actorName({ actor, server }: LogEntry): string {
  return withoutServer(actor, server)
}

function withoutServer(key: string, server: string): string {
  return key.startsWith(`${server}/`) ? key.slice(server.length + 1) : key
}

/** XState's own events as the charts write them: `done(openTransport)`, `after backoff`. */
function eventText({ type, from }: Extract<LogEntry, { kind: 'event' }>): string {
  const [, outcome] = /^xstate\.(done|error)\.actor\./.exec(type) ?? []
  if (outcome) return `${outcome}(${from?.split('/').at(-1) ?? type.split('.').at(-1)})`
  const [, delay] = /^xstate\.after\.([^.]+)\./.exec(type) ?? []
  return delay ? `after ${delay}` : type
}

/** The text is laid out when it is first looked at. */
function unfolding(head: readonly (Node | undefined)[], text: string): HTMLElement {
  const pre = element('pre')
  const details = element('details', {}, element('summary', { class: 'head' }, ...head), pre)
  details.addEventListener('toggle', () => {
    pre.textContent ||= pretty(text)
  })
  return details
}

function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text
  }
}
