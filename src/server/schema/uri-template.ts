/** The variables of a URI that fits a template, decoded; undefined for one that does not. */
export type MatchUri = (uri: string) => { readonly [variable: string]: string } | undefined

/**
 * Reads an RFC 6570 template of single values: `{a}`, `{a,b}`, `{+a}`, `{#a}`, `{.a}`, `{/a}`, `{;a}`, `{?a,b}`, `{&a}`. Lists and
 * prefixes (`*`, `:3`) have no one way back from a URI, and are complained about.
 */
export function readUriTemplate(
  template: string,
): { readonly match: MatchUri; readonly variables: readonly string[] } | { readonly complaint: string } {
  const variables: string[] = []
  let source = ''
  for (const part of template.split(/(\{[^{}]*\})/)) {
    if (/^\{.*\}$/.test(part)) {
      const expression = readExpression(part.slice(1, -1))
      if (!expression) return { complaint: `has an expression that cannot be matched: ${part}` }
      variables.push(...expression.names)
      source += expression.source
    } else if (/[{}]/.test(part)) return { complaint: 'has a brace without its partner' }
    else source += escaped(part)
  }
  const repeated = variables.find((name, index) => variables.indexOf(name) !== index)
  if (repeated !== undefined) return { complaint: `names ${repeated} twice` }
  if (variables.length === 0) return { complaint: 'has no variable: register a resource instead' }
  const pattern = new RegExp(`^${source}$`)
  return {
    variables,
    match: (uri) => (uri.length > longestUri ? undefined : decode(pattern.exec(uri), variables)),
  }
}

interface Expression {
  readonly names: readonly string[]
  readonly source: string
}

function readExpression(text: string): Expression | undefined {
  const operator = /^[+#./;?&]/.exec(text)?.[0] ?? ''
  const names = text.slice(operator.length).split(',')
  if (!names.every((name) => /^[A-Za-z0-9_.%]+$/.test(name))) return undefined
  return { names, source: sourceOf(operator, names) }
}

function sourceOf(operator: string, names: readonly string[]): string {
  const one = '([^/?#&;,]*)'
  switch (operator) {
    case '+':
      return names.map(() => '(.*)').join(',')
    case '#':
      return `#${names.map(() => '(.*)').join(',')}`
    case '.':
    case '/':
      return names.map(() => escaped(operator) + one).join('')
    case ';':
      return names.map((name) => `;${escaped(name)}(?:=${one})?`).join('')
    // Parameters without a value are left out.
    case '?':
      return `(?:\\?|(?=$))${names.map((name) => `(?:&?${escaped(name)}=${one})?`).join('')}`
    case '&':
      return names.map((name) => `(?:&${escaped(name)}=${one})?`).join('')
    default:
      return names.map(() => one.replace('*', '+')).join(',')
  }
}

function decode(
  match: RegExpExecArray | null,
  variables: readonly string[],
): { readonly [variable: string]: string } | undefined {
  if (!match) return undefined
  const values: { [variable: string]: string } = {}
  for (const [index, variable] of variables.entries()) {
    const value = match[index + 1]
    if (value === undefined) continue
    try {
      values[variable] = decodeURIComponent(value)
    } catch {
      return undefined
    }
  }
  return values
}

const longestUri = 8_192

function escaped(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/-]/g, String.raw`\$&`)
}
