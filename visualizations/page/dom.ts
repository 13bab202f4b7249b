type Child = Node | string | undefined

/** An element with attributes and children; text is never read as markup. */
export function element<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Readonly<Record<string, string | undefined>> = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const made = document.createElement(tag)
  set(made, attributes)
  made.append(...children.filter((child) => child !== undefined))
  return made
}

export function drawn(
  tag: 'svg' | 'rect' | 'line' | 'text' | 'title' | 'g',
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly (Node | string)[]
): SVGElement {
  const made = document.createElementNS('http://www.w3.org/2000/svg', tag)
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value))
  made.append(...children)
  return made
}

export function set(target: Element, attributes: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined) target.removeAttribute(name)
    else if (target.getAttribute(name) !== value) target.setAttribute(name, value)
  }
}

/** An element of the page itself. */
export function byId<Kind extends HTMLElement = HTMLElement>(id: string, kind?: new () => Kind): Kind {
  const found = document.getElementById(id)
  const isIt = kind ? found instanceof kind : found !== null
  if (!isIt) throw new Error(`The page has no ${id}`)
  return found as Kind
}

/** Makes the children of a list be these: those that stay are kept, so that focus and scrolling stay too. */
export function arrange(parent: Element, children: readonly Element[]): void {
  for (const [index, child] of children.entries()) {
    if (parent.children[index] !== child) parent.insertBefore(child, parent.children[index] ?? null)
  }
  while (parent.children.length > children.length) parent.lastElementChild?.remove()
}
