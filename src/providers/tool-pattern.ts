/** Whether a tool has this name, or a name that begins with what stands before the trailing `*`. */
export function matchesTool(pattern: string, tool: string): boolean {
  return pattern.endsWith('*') ? tool.startsWith(pattern.slice(0, -1)) : tool === pattern
}

/** The value of the longest pattern that matches; an exact name beats every prefix. */
export function longestMatch<Value>(
  table: { readonly [pattern: string]: Value },
  tool: string,
): Value | undefined {
  if (Object.hasOwn(table, tool)) return table[tool]
  const matching = Object.keys(table).filter((pattern) => matchesTool(pattern, tool))
  return table[longest(matching)]
}

/** The value of the longest key that the tool's name begins with; `''` is every tool's. */
export function longestPrefix<Value>(
  table: { readonly [prefix: string]: Value },
  tool: string,
): Value | undefined {
  const matching = Object.keys(table).filter((prefix) => tool.startsWith(prefix))
  return matching.length ? table[longest(matching)] : undefined
}

function longest(texts: readonly string[]): string {
  return texts.reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
