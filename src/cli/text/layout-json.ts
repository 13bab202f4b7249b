/** JSON for people: what fits on a line stands on one. */
export function layoutJson(value: unknown, columns = 100, indent = ''): string {
  const room = columns - reserved - indent.length
  const isScalar = typeof value !== 'object' || value === null
  const line = isScalar || left(value, room) >= 0 ? spaced(value) : undefined
  if (isScalar) return line ?? 'null'
  if (line !== undefined && line.length <= room) return line
  const inner = `${indent}  `
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item) => layoutJson(item, columns, inner)),
      ']',
      indent,
    )
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}: ${layoutJson(member, columns, inner)}`)
  return block('{', members, '}', indent)
}

function block(open: string, items: readonly string[], close: string, indent: string): string {
  return [
    open,
    ...items.map((item, index) => `${indent}  ${item}${index < items.length - 1 ? ',' : ''}`),
    indent + close,
  ].join('\n')
}

/** What is left of the room at the most once a value stands there; less than 0: it does not fit. Looks no further than that. */
function left(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length - 2
  if (typeof value !== 'object' || value === null) return room - 1
  let rest = room - 2
  for (const [key, member] of Object.entries(value)) {
    if (rest < 0) break
    if (member !== undefined || Array.isArray(value))
      rest = left(member, rest - (Array.isArray(value) ? 0 : key.length + 4))
  }
  return rest
}

/** On one line, with spaces where a person puts them. */
function spaced(value: unknown): string | undefined {
  if (Array.isArray(value)) return `[${value.map((item) => spaced(item) ?? 'null').join(', ')}]`
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const members = Object.entries(value).flatMap(([key, member]) => {
    const text = spaced(member)
    return text === undefined ? [] : [`${JSON.stringify(key)}: ${text}`]
  })
  return members.length > 0 ? `{ ${members.join(', ')} }` : '{}'
}

/** Room for the key and the comma a value stands between. */
const reserved = 24
