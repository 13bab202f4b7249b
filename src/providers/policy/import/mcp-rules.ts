import type { ImportSettings } from './import-rules.ts'
import { atLeast, exactly, nothing, type Translation } from './translation.ts'

/** `mcp__server`, `mcp__server__tool`, `mcp__server__get_*`. */
export function mcpRules(given: string, { servers, separator }: ImportSettings): Translation {
  const [, server = '', tool] = /^mcp__(.+?)(?:__(.+))?$/.exec(given) ?? []
  if (!/^[A-Za-z0-9_-]+$/.test(server) || !/^[\w-]*\*?$/.test(tool ?? ''))
    return nothing('names a server or a tool in a way that no name here is made')
  const name = `${server}${separator}${tool ?? '*'}`
  if (!name.endsWith('*')) return exactly([{ tool: name }])
  const others = servers?.filter(
    (other) => other !== server && `${other}${separator}`.startsWith(name.slice(0, -1)),
  )
  const isAlone = servers?.includes(server) && others?.length === 0
  if (isAlone) return exactly([{ tool: name }])
  const problem = others?.length
    ? `would also mean tools of ${others.join(', ')}`
    : 'may also mean tools of another server whose prefix begins so'
  return atLeast([{ tool: name }], problem)
}
