import type { ActorPicture } from '../../src/inspector/frames.ts'
import { ChartView } from './chart.ts'
import { arrange, byId, element, set } from './dom.ts'
import { factList } from './facts.ts'
import { actorsOf, type Model, type ServerRow } from './model.ts'
import { ago, phaseWords, stateText } from './words.ts'

/** The actors of the chosen server with their statecharts, or a card for each server. */
export class Stage {
  readonly #actors = new Map<string, ActorView>()
  readonly #cards = new Map<string, HTMLButtonElement>()
  readonly #choose: (server: string) => void

  constructor(choose: (server: string) => void) {
    this.#choose = choose
  }

  show(model: Model, servers: readonly ServerRow[], chosen: string | undefined): void {
    const stage = byId('stage')
    if (chosen === undefined) {
      this.#actors.clear()
      set(stage, { class: 'cards' })
      return arrange(
        stage,
        servers.map((server) => this.#card(model, server)),
      )
    }
    set(stage, { class: 'actors' })
    const actors = actorsOf(model, chosen)
    const keys = new Set(actors.map(({ key }) => key))
    for (const key of this.#actors.keys()) if (!keys.has(key)) this.#actors.delete(key)
    arrange(
      stage,
      actors.map((actor) => this.#view(actor).element),
    )
  }

  #view(actor: ActorPicture): ActorView {
    const view = this.#actors.get(actor.key) ?? new ActorView(actor)
    this.#actors.set(actor.key, view)
    view.show(actor)
    return view
  }

  #card(model: Model, { name, phase, restarts }: ServerRow): HTMLButtonElement {
    const card = this.#cards.get(name) ?? element('button', { type: 'button', class: 'card' })
    if (!this.#cards.has(name)) card.addEventListener('click', () => this.#choose(name))
    this.#cards.set(name, card)
    const actors = actorsOf(model, name).slice(0, 2)
    const isWell = phase === 'up' || phase === 'inputRequired'
    const failures = isWell ? [] : actors.map(failureOf).filter(isText)
    set(card, { 'data-phase': phase })
    card.replaceChildren(
      element('strong', {}, name),
      element('span', { class: 'word' }, phase ? phaseWords[phase] : ''),
      ...actors.map(({ machine, states }) => element('span', {}, `${machine}: ${stateText(states)}`)),
      ...failures.slice(0, 1).map((failure) => element('span', { class: 'failure' }, failure)),
      element('span', { class: 'quiet' }, restarts === 1 ? '1 restart' : `${restarts} restarts`),
    )
    return card
  }
}

/** Its last failure, in words. */
function failureOf({ facts }: ActorPicture): string | undefined {
  const failure: unknown = typeof facts === 'object' && facts !== null && Reflect.get(facts, 'failure')
  const message: unknown = typeof failure === 'object' && failure !== null && Reflect.get(failure, 'message')
  return typeof message === 'string' ? message : undefined
}

function isText(text: string | undefined): text is string {
  return text !== undefined
}

/** One actor: where it is in its machine, and what is known of it. */
class ActorView {
  readonly element: HTMLElement
  readonly #chart: ChartView
  readonly #where = element('span', { class: 'where', 'aria-live': 'polite' })
  readonly #since = element('span', { class: 'quiet' })
  readonly #facts = element('div')
  #shown: ActorPicture | undefined

  constructor({ name, machine, key }: ActorPicture) {
    this.#chart = new ChartView(machine)
    const size = element(
      'button',
      { type: 'button', 'aria-pressed': 'false', title: 'Full size, or fitted' },
      '1:1',
    )
    const download = element('a', { href: `machines/${machine}.json`, download: `${machine}.json` }, 'JSON')
    this.element = element(
      'article',
      { class: 'actor', 'data-actor': key, 'data-machine': machine },
      element(
        'header',
        { class: 'row' },
        element(
          'h2',
          {},
          name === machine ? machine : `${machine} ${name}`.replace(`${machine} ${machine}`, machine),
        ),
        this.#where,
        element('span', { class: 'grow' }),
        this.#since,
        size,
        download,
      ),
      element('div', { class: 'body' }, this.#chart.element, this.#facts),
    )
    size.addEventListener('click', () => {
      const isFull = this.#chart.element.classList.toggle('full')
      set(size, { 'aria-pressed': String(isFull) })
      if (isFull)
        this.#chart.element.querySelector('.here')?.scrollIntoView({ block: 'center', inline: 'center' })
    })
  }

  show(actor: ActorPicture): void {
    this.#since.textContent = `generation ${actor.generation}, for ${ago(Date.now() - actor.sinceMs)}`
    if (actor === this.#shown) return
    this.#shown = actor
    const where = stateText(actor.states)
    if (this.#where.textContent !== where) this.#where.textContent = where
    set(this.element, { 'data-status': actor.status, 'data-states': actor.states.join(' ') })
    this.#chart.light(actor.states)
    // Opened details stay open while nothing changes; a change is worth a look anyway.
    this.#facts.replaceChildren(factList(actor.facts))
  }
}
