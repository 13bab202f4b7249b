import { isSecretOption, knownTokens, secretName } from '../transports/stdio/target.ts'
import type { ServerSpec } from './config.ts'

/** The values of a server that no output may show. */
export function secretsOf(spec: ServerSpec): readonly string[] {
  if ('url' in spec) return [...Object.values(spec.headers ?? {}).flatMap(withWords), ...inUrl(spec.url)]
  const { args = [], env = {} } = spec
  return [...Object.values(env), ...args.flatMap((arg, index) => inArgument(arg, args[index - 1]))]
}

/**
 * Hides secrets wherever they turn up in a text, also as JSON or part of a URL. What is shorter than six characters is let
 * through: `true` and `3000` are values of variables too.
 */
export function redactor(secrets: readonly string[]): (text: string) => string {
  const spellings = secrets
    .filter((secret) => secret.length >= shortest)
    .flatMap((secret) => [secret, JSON.stringify(secret).slice(1, -1), encodeURIComponent(secret)])
  if (spellings.length === 0) return (text) => text
  // The longest first: one may hold another.
  const sorted = [...new Set(spellings)].sort((a, b) => b.length - a.length)
  const pattern = new RegExp(sorted.map((spelling) => spelling.replaceAll(special, '\\$&')).join('|'), 'g')
  return (text) => text.replaceAll(pattern, '***')
}

/** `Bearer abc` and `abc`. */
function withWords(header: string): readonly string[] {
  return [header, ...header.split(/\s+/).slice(1)]
}

function inArgument(arg: string, before: string | undefined): readonly string[] {
  if (isSecretOption(before)) return [arg]
  const [, name = '', value = ''] = /^([^=:\s]+)\s*[=:]\s*(.+)$/s.exec(arg) ?? []
  return [...(secretName.test(name) ? [value] : []), ...(arg.match(knownTokens) ?? []), ...inUrl(arg)]
}

/** Of anything that is no URL nothing. */
function inUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { username, password, searchParams } = new URL(text)
  return [username, password, ...searchParams.values()]
}

const shortest = 6
const special = /[\\^$.*+?()[\]{}|/-]/g
