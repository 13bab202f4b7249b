/** The scopes of a space-separated list. */
export function scopesIn(list: string | undefined): readonly string[] {
  return list?.split(' ').filter((scope) => scope !== '') ?? []
}

/**
 * What a person is asked to consent to. Where the authorization server knows `offline_access`, that as well, so that they are not asked
 * again soon; but never alone, since that would be less than its default.
 */
export function withOfflineAccess(
  scopes: readonly string[],
  supported: readonly string[] | undefined,
): readonly string[] {
  const isOffered = supported?.includes(offlineAccess) === true
  return scopes.length > 0 && isOffered ? [...new Set([...scopes, offlineAccess])] : scopes
}

export const offlineAccess = 'offline_access'
