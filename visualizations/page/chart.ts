import { element } from './dom.ts'

/** Drawings by machine, each fetched once. */
const drawings = new Map<string, Promise<Element | undefined>>()

/** A statechart in which the states an actor is in are lit. */
export class ChartView {
  readonly element = element('div', { class: 'chart' })
  #lit: readonly string[] = []

  constructor(machine: string) {
    drawing(machine).then((svg) => {
      if (!svg) return this.element.append(element('p', { class: 'quiet' }, 'This machine has no drawing.'))
      this.element.append(document.importNode(svg, true))
      const { width } = (this.element.firstElementChild as SVGSVGElement).viewBox.baseVal
      this.element.style.setProperty('--natural', `${width * 1.33}px`)
      this.light(this.#lit)
    })
  }

  light(states: readonly string[]): void {
    this.#lit = states
    const lit = new Set(states)
    for (const state of this.element.querySelectorAll('[data-state]')) {
      const isLit = lit.has(state.getAttribute('data-state') ?? '')
      state.classList.toggle('lit', isLit)
      // The innermost is the one to look at.
      state.classList.toggle(
        'here',
        isLit && !states.some((id) => isBelow(id, state.getAttribute('data-state'))),
      )
    }
  }
}

function drawing(machine: string): Promise<Element | undefined> {
  const known = drawings.get(machine) ?? fetchDrawing(machine)
  drawings.set(machine, known)
  return known
}

async function fetchDrawing(machine: string): Promise<Element | undefined> {
  const response = await fetch(`machines/${encodeURIComponent(machine)}.svg`)
  if (!response.ok) return undefined
  const { documentElement: svg } = new DOMParser().parseFromString(await response.text(), 'image/svg+xml')
  // The same machine stands on the page more than once, an id may not.
  for (const node of svg.querySelectorAll('[id]')) {
    node.setAttribute('data-state', node.id)
    node.removeAttribute('id')
  }
  svg.removeAttribute('width')
  svg.removeAttribute('height')
  return svg
}

function isBelow(id: string, above: string | null): boolean {
  return id.startsWith(`${above}.`)
}
