import { isObject } from '../protocol/json-rpc.ts'
import type { Place } from './place.ts'

/** What stands for `${…}`. */
export interface Variables {
  readonly env: { readonly [name: string]: string | undefined }
  /** The project's folder. */
  readonly folder: string
  /** Told of every value that was filled in. */
  readonly onFill?: (name: string, value: string) => void
}

/**
 * Fills in every string of a value; keys stay as they are. `${NAME}` and `${NAME:-default}` (also as `${env:NAME}`) are of the
 * environment, `${workspaceFolder}` is the project's folder, and `$${` a plain `${`. A default stands in for what is unset or
 * empty. @throws ConfigError for a variable that is unset and has no default
 */
export function fillIn(value: unknown, place: Place, variables: Variables): unknown {
  if (typeof value === 'string') return fillInText(value, place, variables)
  if (Array.isArray(value)) return value.map((item, index) => fillIn(item, place.at(`${index}`), variables))
  if (!isObject(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, fillIn(member, place.at(key), variables)]),
  )
}

function fillInText(text: string, place: Place, variables: Variables): string {
  return text.replaceAll(/\$\$\{|\$\{([^}]*)(\}?)/g, (_, body: string | undefined, close: string) => {
    if (body === undefined) return '${'
    if (close === '') throw place.bad('has a ${ that is never closed; $${ writes the characters themselves')
    return lookUp(body, place, variables)
  })
}

function lookUp(body: string, place: Place, variables: Variables): string {
  if (body === 'workspaceFolder') return variables.folder
  const [, name = '', fallback] = /^(?:env:)?([A-Za-z_]\w*)(?::-(.*))?$/s.exec(body) ?? []
  if (name === '') throw place.bad(explain(body))
  if (fallback?.includes('${')) throw place.bad(`has a default within the default of ${name}; write one only`)
  const set = Object.hasOwn(variables.env, name) ? variables.env[name] : undefined
  const value = fallback === undefined ? set : set || fallback
  if (value !== undefined) {
    variables.onFill?.(name, value)
    return value
  }
  throw place.bad(`needs the variable ${name}, which is not set; set it, or write \${${name}:-default}`)
}

function explain(body: string): string {
  const [, input] = /^input:(.*)$/.exec(body) ?? []
  return input === undefined
    ? `has a $\{…} that names no variable; write \${NAME} or \${NAME:-default}, and $\${ for the characters themselves`
    : `wants the input ${JSON.stringify(input)}, which only an editor asks for; write a variable here, e.g. \${NAME}, and set it`
}
