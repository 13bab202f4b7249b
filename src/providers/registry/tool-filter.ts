/** Which tools of an entry are published, by the names their provider gives them. `*` at the end of a name stands for any rest. */
export interface ToolFilter {
  /** Default: all. */
  readonly allow?: readonly string[]
  /** Stronger than `allow`. Default: none. */
  readonly deny?: readonly string[]
}

export function isPublished({ allow, deny }: ToolFilter, name: string): boolean {
  const isNamed = (pattern: string) => matches(pattern, name)
  return (allow === undefined || allow.some(isNamed)) && !deny?.some(isNamed)
}

function matches(pattern: string, name: string): boolean {
  return pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern
}
