/** JSON for people: what fits on a line stands on one. Costs the square of the depth, which is small. */
export function layoutJson(value: unknown, columns = 100, indent = ''): string {
  const line = spaced(value)
  if (line === undefined || indent.length + line.length <= columns - reserved) return line ?? 'null'
  const inner = `${indent}  `
  if (Array.isArray(value))
    return block(
      '[',
      value.map((item) => layoutJson(item, columns, inner)),
      ']',
      indent,
    )
  if (typeof value !== 'object' || value === null) return line
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
