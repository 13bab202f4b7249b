/** How a URL is shown to people and in logs: without credentials, and with what looks like a secret masked. Never throws. */
export function describeTarget(url: string): string {
  const shown = String(url)
    .replace(/[#].*$/s, '')
    .replace(credentials, '$1')
    .replaceAll(queryValue, (whole, start: string, name: string, value: string) =>
      secretName.test(name) || isToken(value) ? `${start}${name}=${mask}` : whole,
    )
    .replaceAll(pathSegment, (whole, segment: string) => (isToken(segment) ? `/${mask}` : whole))
    .replaceAll(unprintable, ' ')
  return shown.length <= maxLength ? shown : `${shown.slice(0, maxLength - 1)}…`
}

/** Long, and a mixture of letters and digits: some services put the key into the path. */
function isToken(text: string): boolean {
  return knownToken.test(text) || (/^[\w.~-]{24,}$/.test(text) && /\d/.test(text) && /[a-z]/i.test(text))
}

const maxLength = 120
const mask = '***'
const credentials = /^([a-z][\w+.-]*:\/\/)[^/?#]*@/i
const queryValue = /([?&])([^=&#]*)=([^&#]*)/g
const pathSegment = /\/([^/?#]+)/g
const secretName = /token|secret|passw|credential|auth|api[-_]?key|session|sig|(^|[-_])(key|pwd|pass|code)$/i
const knownToken = /^(?:sk-|gh[pousr]_|github_pat_|xox[abp]-|glpat-)[\w-]{8,}/
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it is for
const unprintable = /[\u0000-\u001f\u007f]+/g
