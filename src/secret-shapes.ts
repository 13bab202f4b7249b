/** What stands in place of a secret. */
export const mask = '***'

/** Names of values that nobody may see. */
export const secretName =
  /token|secret|passw|passphrase|credential|authori[sz]ation|bearer|cookie|session-?id|signature|connection-?string|request-?state|(api|access|private|signing|encryption|master|account)[-_]?key|(^|[-_])(key|pwd|pass|auth|dsn|jwt|pin|otp)$/i

/** Values that give themselves away, whatever their name. */
export const knownToken =
  /\b(?:sk-[\w-]{8,}|gh[pousr]_\w{8,}|github_pat_\w{8,}|xox[abprs]-[\w-]{8,}|glpat-[\w-]{8,}|npm_\w{8,}|AKIA[A-Z0-9]{12,}|AIza[\w-]{20,}|eyJ[\w-]{8,}\.[\w-]{8,}(?:\.[\w-]*)?)/

/** All of them in a text. */
export const knownTokens = new RegExp(knownToken, 'g')

/** `--api-key`, whose value is the next argument. */
export function isSecretOption(argument: unknown): boolean {
  return typeof argument === 'string' && /^--?\w[^=:\s]*$/.test(argument) && secretName.test(argument)
}
