import { UsageError } from './usage-error.ts'

/** Reads a port; `flag` is for messages. */
export function portOf(flag: string): (text: string) => number {
  return (text) => {
    const port = Number(text)
    if (/^\d+$/.test(text) && port <= 65_535) return port
    throw new UsageError(`${flag} takes a port from 0 to 65535, not ${JSON.stringify(text)}`)
  }
}
