import { withWords } from '../redactor.ts'
import { isSecretOption, knownTokens, secretName } from '../secret-shapes.ts'

/** How a server is reached, as whoever configured it wrote it. */
export type Reached =
  | { readonly args?: readonly string[]; readonly env?: { readonly [name: string]: string } }
  | { readonly url: string; readonly headers?: { readonly [name: string]: string } }

/** The values of a server that no output may show: its variables and headers, and what looks like a secret in its arguments or URL. */
export function secretsOf(server: Reached): readonly string[] {
  if ('url' in server) return [...withWords(server.headers), ...inUrl(server.url)]
  const { args = [], env = {} } = server
  return [...Object.values(env), ...args.flatMap((arg, index) => inArgument(arg, args[index - 1]))]
}

function inArgument(arg: string, before: string | undefined): readonly string[] {
  if (isSecretOption(before)) return [arg]
  const [, name = '', value = ''] = /^([^=:\s]+)\s*[=:]\s*(.+)$/s.exec(arg) ?? []
  return [
    ...(secretName.test(name) ? [value] : []),
    ...(arg.match(knownTokens) ?? []),
    ...(arg.match(bearer) ?? []),
    ...inUrl(arg),
  ]
}

/** Of anything that is no URL nothing. */
function inUrl(text: string): readonly string[] {
  if (!URL.canParse(text)) return []
  const { username, password, searchParams } = new URL(text)
  return [...[username, password].flatMap((part) => [part, decoded(part)]), ...searchParams.values()]
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const bearer = /(?<=\bBearer\s+)\S+/gi
