import { basename } from 'node:path'
import { redactText } from '../../redact.ts'
import { isSecretOption, mask, secretName } from '../../secret-shapes.ts'

/** How a command is shown to people and in logs: short, on one line, and with what looks like a secret masked. */
export function describeTarget(command: string, args: readonly string[] = []): string {
  // What is not shown is not read.
  const shown = args
    .slice(0, maxLength)
    .map((arg, index) => maskArgument(arg.slice(0, readChars), args[index - 1]))
  const line = [basename(command), ...shown].join(' ').replaceAll(unprintable, ' ')
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}

function maskArgument(arg: string, before: string | undefined): string {
  if (isSecretOption(before)) return mask
  if (before !== undefined && userOption.test(before)) return arg.replace(/:.*/s, `:${mask}`)
  const [assigned = '', name = '', separator = ''] = /^([^=:\s]+)(\s*[=:]\s*)(?=.)/.exec(arg) ?? []
  if (secretName.test(name)) return name + separator + mask
  const rest = arg.slice(assigned.length)
  // `--env=API_KEY=…`, `--header=X-Api-Key: …`: an option may hold another assignment.
  const isAssignment = separator.trim() === '=' && /^[\w-]+\s*[=:]/.test(rest)
  if (isAssignment || userOption.test(name)) return assigned + maskArgument(rest, name)
  return redactText(arg.replaceAll(userInUrl, `$1${mask}@`).replaceAll(secretInQuery, `$1${mask}`))
}

const maxLength = 120
const readChars = 1_000
/** `curl -u name:password` */
const userOption = /^(-u|--(proxy-)?user)$/
/** A password may itself hold an @ or a slash; a port is none. */
const userInUrl = /(\b[a-z][\w+.-]*:\/\/)(?:[^\s/?#]*|[^\s/?#:@]*:(?!\d+[/?#])[^\s@]*)@/gi
const secretInQuery = /([?&#;][^=&\s]*(?:token|secret|key|pass|sig)[^=&\s]*=)[^&;\s]+/gi
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const unprintable = /[\u0000-\u001f\u007f]+/g
