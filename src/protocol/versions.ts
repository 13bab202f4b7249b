/** The protocol revisions this package speaks, newest first. Source: basic/versioning. */

export const modernVersions = ['2026-07-28'] as const
export const legacyVersions = ['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'] as const

export type ModernVersion = (typeof modernVersions)[number]
export type LegacyVersion = (typeof legacyVersions)[number]
/** Two incompatible families: modern is stateless and stamped, legacy is negotiated by a handshake. */
export type Era = 'modern' | 'legacy'

/** What the handshake offers; a server may answer with any of `legacyVersions`. */
export const offeredLegacyVersion: LegacyVersion = '2025-11-25'

export function isModernVersion(version: unknown): version is ModernVersion {
  return (modernVersions as readonly unknown[]).includes(version)
}

export function isLegacyVersion(version: unknown): version is LegacyVersion {
  return (legacyVersions as readonly unknown[]).includes(version)
}
