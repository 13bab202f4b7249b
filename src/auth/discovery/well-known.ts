/** Where a server on a URL may describe itself, in the order in which to look (RFC 9728). */
export function resourceMetadataUrls(server: URL): readonly string[] {
  const { origin, pathname } = server
  const root = `${origin}/.well-known/oauth-protected-resource`
  return pathname === '/' ? [root] : [`${root}${pathname}`, root]
}

/** Where an authorization server may describe itself, in the order in which to look (RFC 8414, OpenID Connect Discovery). */
export function serverMetadataUrls(issuer: URL): readonly string[] {
  const { origin } = issuer
  const path = issuer.pathname.replace(/\/$/, '')
  const inserted = (document: string) => `${origin}/.well-known/${document}${path}`
  const both = [inserted('oauth-authorization-server'), inserted('openid-configuration')]
  return path === '' ? both : [...both, `${origin}${path}/.well-known/openid-configuration`]
}
