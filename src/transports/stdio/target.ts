import { basename } from 'node:path'

/** How a command is shown to people and in logs: short, on one line, and with what looks like a secret masked. */
export function describeTarget(command: string, args: readonly string[] = []): string {
  const shown = args.map((arg, index) => (isSecretOption(args[index - 1]) ? mask : maskArgument(arg)))
  const line = [basename(command), ...shown].join(' ').replaceAll(unprintable, ' ')
  return line.length <= maxLength ? line : `${line.slice(0, maxLength - 1)}…`
}

/** `--api-key`, whose value is the next argument. */
export function isSecretOption(arg = ''): boolean {
  return /^--?\w[^=:]*$/.test(arg) && secretName.test(arg)
}

function maskArgument(arg: string): string {
  const [, name = '', separator = ''] = /^([^=:\s]+)(\s*[=:]\s*)./.exec(arg) ?? []
  if (secretName.test(name)) return name + separator + mask
  return arg
    .replaceAll(credentialsInUrl, `$1${mask}@`)
    .replaceAll(secretInQuery, `$1${mask}`)
    .replaceAll(knownTokens, mask)
}

const maxLength = 120
const mask = '***'
export const secretName =
  /token|secret|passw|credential|authorization|api[-_]?key|(^|[-_])(key|pwd|pass|auth)$/i
const credentialsInUrl = /(\b[a-z][\w+.-]*:\/\/)[^\s/@]+@/gi
const secretInQuery = /([?&][^=&\s]*(?:token|secret|key|pass|sig)[^=&\s]*=)[^&\s]+/gi
export const knownTokens = /\b(?:sk-|gh[pousr]_|github_pat_|xox[abp]-|glpat-)[\w-]{8,}|\bBearer\s+\S+/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const unprintable = /[\u0000-\u001f\u007f]+/g
