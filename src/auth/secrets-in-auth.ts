import type { AuthOptions } from './auth-options.ts'

/** What of these options no output may show. What functions give is not known here. */
export function secretsInAuth({ clientSecret, privateKey, grant }: AuthOptions): readonly string[] {
  const granted =
    grant?.type === 'jwt_bearer'
      ? [grant.assertion]
      : grant?.type === 'enterprise'
        ? [grant.subjectToken, grant.idp?.clientSecret]
        : []
  const key = privateKey?.key
  const keys = typeof key === 'object' && key !== null ? Object.values(key) : [key]
  return [clientSecret, ...keys, ...granted].filter((value) => typeof value === 'string')
}
