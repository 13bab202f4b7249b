import type { Tool } from '../protocol/tools.ts'
import { distinctTools } from './declaration.ts'
import { publishedNames } from './tool-names.ts'

/** The tools of one server by the names a model knows them by. */
export function publishedTools(tools: readonly Tool[]): ReadonlyMap<string, Tool> {
  const keys = distinctTools(tools).map((tool) => ({ prefix: '', name: tool.name, tool }))
  return new Map([...publishedNames(keys, '')].map(([name, { tool }]) => [name, tool]))
}
