import { readHostPattern } from '../hosts.ts'
import { each, exactly, nothing, type Translation } from './translation.ts'

/** `domain:example.org`. */
export function webRules(specifier: string | undefined, tools: readonly string[]): Translation {
  if (specifier === undefined || specifier === '*') return exactly(each(tools))
  const host = /^domain:(.+)$/.exec(specifier.trim())?.[1]
  if (host === undefined) return nothing('is about something else than a domain')
  return readHostPattern(host) === undefined
    ? nothing('names no host, and no domain whose subdomains are meant')
    : exactly(each(tools, { host }))
}
