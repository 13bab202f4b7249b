import { withWords } from '../redactor.ts'
import { isSecretOption, knownTokens, secretName } from '../transports/stdio/target.ts'
import type { ServerSpec } from './config.ts'

/** The values of a server that no output may show. */
export function secretsOf(spec: ServerSpec): readonly string[] {
  if ('url' in spec) return [...withWords(spec.headers), ...inUrl(spec.url)]
  const { args = [], env = {} } = spec
  return [...Object.values(env), ...args.flatMap((arg, index) => inArgument(arg, args[index - 1]))]
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
