import { nearest } from '../nearest.ts'

/** What a model reads of a tool that is none. */
export function unknownToolText(name: string, names: readonly string[]): string {
  const near = nearest(name, names)
  const shown = name.length > longest ? `${name.slice(0, longest)}…` : name
  return `There is no tool ${shown}.${near === undefined ? '' : ` Did you mean ${near}?`} Nothing was done.`
}

/** Far more than any name a model was given. */
const longest = 200
