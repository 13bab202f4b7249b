/** What is wrong with an origin that is to be let in; undefined: nothing. */
export function originComplaint(origin: string): string | undefined {
  return isOrigin(origin) ? undefined : 'must be an origin as browsers send it, e.g. https://app.example.com'
}

/** Pages of browser extensions and of editors have schemes of their own, whose origin URL does not tell. */
function isOrigin(text: string): boolean {
  return /^https?:/i.test(text)
    ? URL.canParse(text) && new URL(text).origin === text
    : /^[a-z][a-z0-9+.-]*:\/\/[^/\\?#@\s*]+$/.test(text)
}
