import { isUnder } from '../../paths/containment.ts'
import { type Location, toText } from '../../paths/location.ts'
import type { CallFacts } from './call-facts.ts'
import type { Rule } from './rule.ts'

/** A rule without its decision, which is the person's. */
export type Suggestion = Pick<Rule, 'tool' | 'under' | 'host' | 'command'>

/** The narrowest honest grant: a rule that would cover this call, and as little else as can be told from it. */
export function suggest(tool: string, facts: CallFacts, root: Location | undefined): Suggestion {
  const places = [...facts.named, ...facts.written]
  const locations = places.map(({ location }) => location).filter((location) => location !== undefined)
  if (locations.length < places.length) return { tool }
  if (locations.length > 0) return withDirectory(tool, facts, commonDirectory(locations, root))
  return facts.host === undefined ? { tool } : { tool, host: facts.host }
}

/** A directory alone would not cover what a command does. */
function withDirectory(tool: string, facts: CallFacts, directory: Location | undefined): Suggestion {
  if (!directory) return { tool }
  const under = toText(directory)
  if (!facts.runsCommands) return { tool, under }
  const covered = facts.commands.filter(({ command }) => command.role !== 'passing')
  const [name, ...others] = new Set(covered.map(({ name }) => name))
  return name && !/[*\s]/.test(name) && others.length === 0 ? { tool, command: name, under } : { tool }
}

/** The deepest directory that holds them all, and never more than the root where they are in it. */
function commonDirectory(locations: readonly Location[], root: Location | undefined): Location | undefined {
  const [first, ...others] = locations
  if (!first || others.some(({ isAbsolute }) => isAbsolute !== first.isAbsolute)) return undefined
  let depth = Math.max(0, first.segments.length - 1)
  for (const { segments } of others) {
    depth = Math.min(depth, Math.max(0, segments.length - 1))
    depth = sharedDepth(first.segments, segments, depth)
  }
  const directory = { isAbsolute: first.isAbsolute, segments: first.segments.slice(0, depth) }
  if (!root || isUnder(root, directory) !== 'yes' || isUnder(directory, root) === 'yes') return directory
  if (locations.every((location) => isUnder(location, root) === 'yes')) return root
  return others.length === 0 ? first : directory
}

function sharedDepth(a: readonly string[], b: readonly string[], most: number): number {
  for (let index = 0; index < most; index += 1) if (a[index] !== b[index]) return index
  return most
}
