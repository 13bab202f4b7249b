import { arrange, byId, element, set } from './dom.ts'
import type { ServerRow } from './model.ts'
import { phaseWords } from './words.ts'

/** The servers to choose from; `undefined` is all of them. */
export class ServerList {
  readonly #rows = new Map<string, HTMLButtonElement>()
  readonly #all: HTMLButtonElement
  readonly #choose: (server: string | undefined) => void

  constructor(choose: (server: string | undefined) => void) {
    this.#choose = choose
    this.#all = this.#button(undefined, 'All servers')
  }

  show(servers: readonly ServerRow[], chosen: string | undefined): void {
    const rows = servers.map((server) => this.#row(server))
    arrange(byId('servers'), [this.#all, ...rows])
    set(this.#all, { 'aria-current': chosen === undefined ? 'true' : undefined })
    for (const [name, row] of this.#rows) set(row, { 'aria-current': name === chosen ? 'true' : undefined })
  }

  #row({ name, phase, restarts }: ServerRow): HTMLButtonElement {
    const row = this.#rows.get(name) ?? this.#button(name, name)
    this.#rows.set(name, row)
    const word = phase ? phaseWords[phase] : ''
    set(row, { 'data-phase': phase, title: name })
    const [, , status] = row.children
    const text = restarts > 0 ? `${word} · ${restarts}↻` : word
    if (status && status.textContent !== text) status.textContent = text
    return row
  }

  #button(server: string | undefined, label: string): HTMLButtonElement {
    const button = element(
      'button',
      { type: 'button', class: 'server' },
      element('span', { class: 'dot', 'aria-hidden': 'true' }),
      element('span', { class: 'name' }, label),
      element('span', { class: 'word' }),
    )
    button.addEventListener('click', () => this.#choose(server))
    return button
  }
}
