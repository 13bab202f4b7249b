import { ProtocolError } from '../../errors.ts'
import { ErrorCode } from '../../protocol/error-codes.ts'
import { isObject, type JsonObject } from '../../protocol/json-rpc.ts'
import { MetaKey } from '../../protocol/meta.ts'
import { type Era, isLegacyVersion, isModernVersion } from '../../protocol/versions.ts'

/** The versions one server answers for. */
export interface SpokenVersions {
  readonly modern: readonly string[]
  readonly legacy: readonly string[]
}

export function spokenVersions(versions: readonly string[]): SpokenVersions {
  return { modern: versions.filter(isModernVersion), legacy: versions.filter(isLegacyVersion) }
}

/**
 * Which era a request belongs to. The handshake is always legacy and discovery always modern; else a stamp makes it modern.
 */
export function eraOf(method: string, params: JsonObject, { modern, legacy }: SpokenVersions): Era {
  if (legacy.length === 0) return 'modern'
  if (method === 'initialize') return 'legacy'
  if (method === 'server/discover' && modern.length > 0) return 'modern'
  return isObject(params._meta) && Object.hasOwn(params._meta, MetaKey.protocolVersion) ? 'modern' : 'legacy'
}

/** Names what is spoken: the modern versions, since legacy ones are negotiated; those when there are no others. */
export function unsupportedVersion(requested: unknown, { modern, legacy }: SpokenVersions): ProtocolError {
  const supported = modern.length > 0 ? modern : legacy
  return new ProtocolError({
    code: ErrorCode.UnsupportedProtocolVersion,
    message: `Unsupported protocol version; this server speaks ${supported.join(', ')}`,
    data: { supported, requested: typeof requested === 'string' ? requested : '' },
  })
}
