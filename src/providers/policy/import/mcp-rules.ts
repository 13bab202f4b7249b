import { publishedNames } from '../../../bridge/tool-names.ts'
import type { ImportSettings } from './import-rules.ts'
import { atLeast, exactly, nothing, type Translation } from './translation.ts'

/** `mcp__server`, `mcp__server__tool`, `mcp__server__get_*`. */
export function mcpRules(given: string, { servers = {}, separator }: ImportSettings): Translation {
  const [, server = '', tool = '*'] = /^mcp__(.+?)(?:__(.+))?$/.exec(given) ?? []
  if (!/^[A-Za-z0-9_-]+$/.test(server) || !/^[\w-]*\*?$/.test(tool))
    return nothing('names a server or a tool in a way that no name here is made')
  const prefixes = new Map(isNames(servers) ? servers.map((name) => [name, name]) : Object.entries(servers))
  const prefix = prefixes.get(server) ?? server
  const isWhole = !tool.endsWith('*')
  const name = isWhole ? publishedName({ prefix, name: tool }, separator) : `${prefix}${separator}${tool}`
  const rules = [{ tool: name }]
  const others = [...prefixes.values()].filter(
    (other) => other !== prefix && mayMean(name, `${other}${separator}`),
  )
  if (others.length > 0) return atLeast(rules, `would also mean tools of ${others.join(', ')}`)
  if (isWhole || prefixes.has(server)) return exactly(rules)
  return atLeast(rules, 'may also mean tools of another server whose prefix begins so')
}

function isNames(servers: NonNullable<ImportSettings['servers']>): servers is readonly string[] {
  return Array.isArray(servers)
}

/** One that is too long for models is cut. */
function publishedName(tool: { readonly prefix: string; readonly name: string }, separator: string): string {
  const [name = ''] = publishedNames([tool], separator).keys()
  return name
}

function mayMean(name: string, beginning: string): boolean {
  return name.startsWith(beginning) || (name.endsWith('*') && beginning.startsWith(name.slice(0, -1)))
}
